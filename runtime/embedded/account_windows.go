package embedded

// account is the user that the server runs as where that is not the current one; Windows needs none.
type account struct{ name string }

func serverAccount(string) (*account, error) { return nil, nil }

func (a *account) own(string) error { return nil }
