package embedded

func childPublish() {}
