package ir

import (
	"slices"
)

func (v *validator) checkTable(path string, g *Group, t *Table) {
	if v.tables[t.Name] != nil {
		v.add(path+"/name", "%q is in two groups", t.Name)
	}
	v.tables[t.Name] = t
	if problem := NameProblem(t.Name); problem != "" {
		v.add(path+"/name", "%q %s", t.Name, problem)
	}
	v.columns[t] = map[string]*Column{}
	if len(t.Columns) > MaxColumns || len(t.Key) > MaxIndexColumns {
		v.add(path, "has more than %d columns, or %d in its key", MaxColumns, MaxIndexColumns)
		return
	}
	for i := range t.Columns {
		at := item(path+"/columns", i)
		c := &t.Columns[i]
		if v.column(t, c.Name) != nil {
			v.add(at, "%q is there twice", c.Name)
		}
		v.columns[t][c.Name] = c
		v.checkColumn(at, t, c)
	}
	v.checkTableKey(path, t)
	for i, index := range t.Indexes {
		at := item(path+"/indexes", i) + "/columns"
		if len(index.Columns) == 0 {
			v.add(at, "is empty")
		}
		v.checkColumnNames(at, t, index.Columns)
	}
	v.checkPartition(path+"/partition", t)
	v.checkTraits(path, g, t)
}

func (v *validator) checkTableKey(path string, t *Table) {
	if len(t.Key) == 0 {
		v.add(path+"/key", "is empty")
	}
	v.checkColumnNames(path+"/key", t, t.Key)
	for _, name := range t.Key {
		if c := v.column(t, name); c != nil && c.Type.Name == JSON {
			v.add(path+"/key", "%q is JSON, which can't be compared", name)
		}
	}
}

// checkColumnNames requires names of columns of the table, each once.
func (v *validator) checkColumnNames(path string, t *Table, names []string) {
	if len(names) > MaxIndexColumns {
		v.add(path, "has more than %d columns", MaxIndexColumns)
		return
	}
	for i, name := range names {
		at := item(path, i)
		if v.column(t, name) == nil {
			v.add(at, "%q is not a column of %q", name, t.Name)
		}
		if slices.Contains(names[:i], name) {
			v.add(at, "%q is there twice", name)
		}
	}
}

func (v *validator) checkColumn(path string, t *Table, c *Column) {
	if problem := NameProblem(c.Name); problem != "" {
		v.add(path+"/name", "%q %s", c.Name, problem)
	}
	v.checkType(path+"/type", c.Type)
	if key := slices.Contains(t.Key, c.Name); key != (c.Role == RoleKey) {
		v.add(path+"/role", "is %q, and whether it is in the key says otherwise", c.Role)
	}
	switch c.Role {
	case RoleKey, RolePlain, RoleSum:
	default:
		v.add(path+"/role", "%q is not a role", c.Role)
	}
	if c.Role != RolePlain && (c.Default != "" || c.KeepOnReplace || c.Hidden) {
		v.add(path, "only a plain column has a default, is kept on replace or is hidden")
	}
	if (c.Default != "") != c.KeepOnReplace {
		v.add(path, "a default and keep_on_replace go together")
	}
	if c.Default != "" && c.Default != "0" {
		v.add(path+"/default", "is %q, not 0", c.Default)
	}
	if (c.Role == RoleSum || c.Default != "") && !c.Type.IsNumber() {
		v.add(path+"/type", "an aggregate needs a number type, not %s", c.Type)
	}
}

// checkType checks a type's name and modifiers.
func (v *validator) checkType(path string, t SQLType) {
	if problem := t.Problem(); problem != "" {
		v.add(path, "%s", problem)
	}
}

func (v *validator) checkPartition(path string, t *Table) {
	part := t.Partition
	if part == nil {
		return
	}
	switch part.Strategy {
	case "range", "hash", "list":
	default:
		v.add(path+"/strategy", "%q is not a strategy", part.Strategy)
	}
	if !slices.Contains(t.Key, part.Field) {
		v.add(path+"/field", "%q is not in the primary key", part.Field)
	}
	for _, index := range t.Indexes {
		if index.Unique && !slices.Contains(index.Columns, part.Field) {
			v.add(path+"/field", "%q is not in the unique index on (%s)", part.Field, joinNames(index.Columns))
		}
	}
	if part.Partitions < 0 || part.Precreate < 0 {
		v.add(path, "has a negative count")
	}
}

// checkTraits requires that class, flags and hidden columns are what the handlers imply.
func (v *validator) checkTraits(path string, g *Group, t *Table) {
	written := slices.ContainsFunc(g.Projections, func(p Projection) bool { return p.Table == t.Name })
	if !written {
		v.add(path, "no projection writes it")
		return
	}
	if class, _ := Classify(t, g.Projections); class != t.Class {
		v.add(path+"/class", "is %q, and its handlers make it %s", t.Class, class)
	}
	traits := Traits(t.Name, g.Projections)
	if traits.Deletes != t.Deletes || traits.Updates != t.Updates {
		v.add(path, "deletes and updates are not what its handlers do")
	}
	for i, c := range t.Columns {
		if want := c.Role == RolePlain && slices.Contains(traits.Hidden, c.Name); want != c.Hidden {
			v.add(item(path+"/columns", i)+"/hidden", "is %t, and its handlers make it %t", c.Hidden, want)
		}
	}
}
