package mutation

// kinds returns all kinds of mistakes.
func kinds() []*Kind {
	var all []*Kind
	for _, group := range [][]*Kind{nameKinds(), keyKinds(), wordKinds(), typeKinds(), exprKinds(), structureKinds(), readKinds(), yamlKinds()} {
		all = append(all, group...)
	}
	return all
}
