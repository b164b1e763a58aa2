package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/store"
)

// Deployment is how a program stands in the database.
type Deployment struct {
	Groups []GroupDeployment // as in the program
}

// GroupDeployment is how one group stands in the database.
type GroupDeployment struct {
	Name    string
	Version int // the live version; 0 where there is none
	// Err is nil where the group can run, else a *store.DeploymentError.
	Err error
}

// Plan is what Migrate did, or would do.
type Plan struct {
	Statements []string
	// Refused are the groups that it can't help.
	Refused []GroupDeployment
}

// groupPlan is what one group lacks.
type groupPlan struct {
	GroupDeployment
	steps   []sql.Object
	missing []string // what the steps bring, for people
}

// Check compares the database with the program. The error is a *store.DeploymentError where the whole schema is at fault
// (it is missing, bound to another app or fork, or of a newer layout), or as those of Commit; what is wrong with single
// groups is in the Deployment.
func (db *DB) Check(ctx context.Context, p *ir.Program, fork string) (Deployment, error) {
	base, groups, err := db.plan(ctx, db.pool, p, fork)
	if err != nil {
		return Deployment{}, classify(ctx, err)
	}
	if len(base) > 0 {
		return Deployment{}, deploymentErrorf("the database has no tables of ours in the schema %q: run with --auto-migrate, "+
			"or apply the schema.sql that causetc build writes", db.schema)
	}
	var d Deployment
	for i := range groups {
		g := &groups[i]
		if g.Err == nil && len(g.missing) > 0 {
			g.Err = deploymentErrorf("group %s: missing: %s. Run with --auto-migrate, or apply what causetc migrate --dry-run prints",
				g.Name, strings.Join(g.missing, ", "))
		}
		d.Groups = append(d.Groups, g.GroupDeployment)
	}
	return d, nil
}

func deploymentErrorf(format string, args ...any) error {
	return &store.DeploymentError{Message: fmt.Sprintf(format, args...)}
}

// plan finds what the program needs and the database lacks: what all groups share, and what each group lacks.
func (db *DB) plan(ctx context.Context, q querier, p *ir.Program, fork string) ([]sql.Object, []groupPlan, error) {
	o := db.options(fork)
	c, err := db.readCatalog(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	base, err := db.planBase(c, p.App, o)
	if err != nil {
		return nil, nil, err
	}
	groups := make([]groupPlan, len(p.Groups))
	for i := range p.Groups {
		if groups[i], err = db.planGroup(ctx, q, c, &p.Groups[i], o); err != nil {
			return nil, nil, err
		}
	}
	return base, groups, nil
}

func (db *DB) planBase(c *catalog, app string, o sql.Options) ([]sql.Object, error) {
	binding := sql.Binding(app, o)
	switch {
	case c.bound == nil && c.hasSchema:
		return append(slices.DeleteFunc(sql.ControlObjects(o), func(x sql.Object) bool { return x.Kind == sql.KindSchema }), binding), nil
	case c.bound == nil:
		return append(sql.ControlObjects(o), binding), nil
	case c.bound.layout > sql.LayoutVersion:
		return nil, deploymentErrorf("the schema %q has layout %d, and this causetc knows layouts up to %d: use a newer causetc",
			db.schema, c.bound.layout, sql.LayoutVersion)
	case c.bound.app != app:
		return nil, deploymentErrorf("the schema %q belongs to the app %q, not to %q: choose another schema with --schema",
			db.schema, c.bound.app, app)
	case c.bound.fork != forkName(o.Fork):
		return nil, deploymentErrorf("the schema %q belongs to the fork %q, not to %q: choose another schema with --schema",
			db.schema, c.bound.fork, forkName(o.Fork))
	default:
		return nil, nil
	}
}

func forkName(fork string) string {
	if fork == "" {
		return "main"
	}
	return fork
}

func (db *DB) planGroup(ctx context.Context, q querier, c *catalog, g *ir.Group, o sql.Options) (groupPlan, error) {
	plan := groupPlan{GroupDeployment: GroupDeployment{Name: g.Name}}
	live, found := c.live(g.Name)
	switch {
	case !found:
		return plan, db.planNew(ctx, q, &plan, g, c.newest(g.Name)+1, o)
	case live.hash != g.Hash:
		plan.Version = live.version
		plan.Err = deploymentErrorf("group %s: its rules differ from those deployed as version %d (%s deployed, %s in the program): "+
			"rebuild the group, or run the program that is deployed", g.Name, live.version, short(live.hash), short(g.Hash))
		return plan, nil
	default:
		plan.Version = live.version
		return plan, db.planLive(ctx, q, &plan, g, o)
	}
}

// short is enough of a hash for people.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// planNew plans a group that is not deployed.
func (db *DB) planNew(ctx context.Context, q querier, plan *groupPlan, g *ir.Group, version int, o sql.Options) error {
	for i := range g.Tables {
		r, found, err := db.publicRelation(ctx, q, g.Tables[i].Name)
		if err != nil {
			return err
		}
		if found {
			plan.Err = db.taken(g.Name, g.Tables[i].Name, r)
			return nil
		}
		plan.missing = append(plan.missing, "table "+g.Tables[i].Name)
	}
	var err error
	plan.steps, err = sql.GroupObjects(g, version, o)
	return err
}

var relationKinds = map[string]string{"r": "table", "p": "table", "v": "view", "m": "materialized view", "f": "foreign table",
	"i": "index", "S": "sequence", "c": "type"}

// taken says that a name is not free for a view.
func (db *DB) taken(group, name string, r relation) error {
	if r.ours != "" {
		return deploymentErrorf("group %s: the view %q shows %q, which another group of the schema %q keeps: rebuild that group",
			group, name, r.ours, db.schema)
	}
	kind := relationKinds[r.kind]
	if kind == "" {
		kind = "relation"
	}
	return deploymentErrorf("group %s: there is already a %s %q that causetc did not make, and it is left alone: "+
		"rename it or the projection's table, or place the views elsewhere with --view-schema", group, kind, name)
}

// planLive plans a group that is deployed with the same rules: what of it is gone, and what may change beside the rules.
func (db *DB) planLive(ctx context.Context, q querier, plan *groupPlan, g *ir.Group, o sql.Options) error {
	for i := range g.Tables {
		physical := sql.NewPhysical(&g.Tables[i], plan.Version)
		if err := db.planTable(ctx, q, plan, physical, o); err != nil || plan.Err != nil {
			return err
		}
	}
	for _, set := range g.ExactIDs {
		name := sql.ExactIDsTable(g.Name, set.Name, plan.Version)
		columns, err := columnsOf(ctx, q, db.table(name))
		if err != nil {
			return err
		}
		if len(columns) == 0 {
			plan.Err = db.lost(g.Name, name)
			return nil
		}
	}
	return nil
}

// lost says that what can't be made anew is gone.
func (db *DB) lost(group, name string) error {
	return deploymentErrorf("group %s: the table %q of the schema %q is gone, and its rows with it: restore it, or rebuild the group",
		group, name, db.schema)
}

func (db *DB) planTable(ctx context.Context, q querier, plan *groupPlan, p *sql.Physical, o sql.Options) error {
	columns, err := columnsOf(ctx, q, db.table(p.Name))
	if err != nil {
		return err
	}
	if len(columns) == 0 {
		plan.Err = db.lost(plan.Name, p.Name)
		return nil
	}
	if differences := compareColumns(columns, p.Definition()); len(differences) > 0 {
		plan.Err = deploymentErrorf("group %s: the table %q of the schema %q was changed by hand: %s. Undo that, or rebuild the group",
			plan.Name, p.Name, db.schema, strings.Join(differences, ", "))
		return nil
	}
	if err := db.planIndexes(ctx, q, plan, p, o); err != nil {
		return err
	}
	return db.planView(ctx, q, plan, p, o)
}

// compareColumns says in words how a table differs from what it should be. The order of columns does not matter.
func compareColumns(have, want []sql.PhysicalColumnDef) []string {
	types := make(map[string]string, len(have))
	for _, c := range have {
		types[c.Name] = c.Type
	}
	var differences []string
	for _, c := range want {
		switch typ, found := types[c.Name]; {
		case !found:
			differences = append(differences, fmt.Sprintf("column %q is missing", c.Name))
		case typ != c.Type:
			differences = append(differences, fmt.Sprintf("column %q is %s instead of %s", c.Name, typ, c.Type))
		}
	}
	return differences
}

// planIndexes adds the indexes that the program has gained and drops those of ours that it has lost.
func (db *DB) planIndexes(ctx context.Context, q querier, plan *groupPlan, p *sql.Physical, o sql.Options) error {
	have, err := db.indexesOf(ctx, q, p.Name)
	if err != nil {
		return err
	}
	for _, index := range p.Indexes(o) {
		if _, found := have[index.Name]; !found {
			plan.steps = append(plan.steps, index)
			plan.missing = append(plan.missing, "index "+index.Name)
		}
		delete(have, index.Name)
	}
	for _, name := range sortedNames(have) {
		if strings.HasSuffix(name, "@index") || strings.HasSuffix(name, "@desc") {
			plan.steps = append(plan.steps, sql.Object{Kind: sql.KindIndex, Schema: db.schema, Name: name, SQL: "DROP INDEX " + db.table(name)})
		}
	}
	return nil
}

func sortedNames(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// planView makes the view anew where it is gone: no data is lost with it.
func (db *DB) planView(ctx context.Context, q querier, plan *groupPlan, p *sql.Physical, o sql.Options) error {
	r, found, err := db.publicRelation(ctx, q, p.Table.Name)
	switch {
	case err != nil:
		return err
	case !found:
		plan.steps = append(plan.steps, p.View(o)...)
		plan.missing = append(plan.missing, "view "+p.Table.Name)
	case r.kind != "v" || r.ours != p.Name:
		plan.Err = db.taken(plan.Name, p.Table.Name, r)
	}
	return nil
}
