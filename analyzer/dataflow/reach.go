package dataflow

// Hop is one step on the way of a value: the edge that it took and where it is then.
type Hop struct {
	Edge *Edge
	To   Loc
}

// Reach is what is reachable from a set of places: a value that starts there can be at every one of its places.
type Reach struct {
	index map[Loc]int
	locs  []Loc
	into  [][]arrival // by place: how a value gets there
}

// arrival is one way to a place.
type arrival struct {
	from int
	edge *Edge
}

// Reach follows values that start at the given places. The work is linear in the edges that they can take: where parts
// of states are stored inside each other without end, what lies inside a field is no longer told from the field.
func (g *Graph) Reach(starts []Loc) *Reach {
	r := &Reach{index: map[Loc]int{}}
	precise := 1000 + 4*(g.edges+len(starts))
	for _, s := range starts {
		r.node(s)
	}
	for i := 0; i < len(r.locs); i++ {
		g.Exits(r.locs[i], func(e *Edge, to Loc) {
			if len(r.locs) > precise {
				to.Path = clip(to.Path, 1)
			}
			j := r.node(to)
			r.into[j] = append(r.into[j], arrival{from: i, edge: e})
		})
	}
	return r
}

func (r *Reach) node(l Loc) int {
	if i, ok := r.index[l]; ok {
		return i
	}
	i := len(r.locs)
	r.index[l] = i
	r.locs = append(r.locs, l)
	r.into = append(r.into, nil)
	return i
}

// Locs returns the places that values can be at, in the order in which they were found.
func (r *Reach) Locs() []Loc { return r.locs }

// Routes holds, for every place of a Reach, the next step of a shortest way to the nearest sink.
type Routes struct {
	reach *Reach
	next  []int
	edge  []*Edge
	far   []int // steps to the sink, -1 where none can be reached
}

// Routes finds the shortest ways to the places for which sink holds.
func (r *Reach) Routes(sink func(Loc) bool) *Routes {
	n := len(r.locs)
	t := &Routes{reach: r, next: make([]int, n), edge: make([]*Edge, n), far: make([]int, n)}
	var queue []int
	for i, l := range r.locs {
		t.far[i] = -1
		if sink(l) {
			t.far[i] = 0
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, a := range r.into[i] {
			if t.far[a.from] < 0 {
				t.far[a.from], t.next[a.from], t.edge[a.from] = t.far[i]+1, i, a.edge
				queue = append(queue, a.from)
			}
		}
	}
	return t
}

// From returns the shortest way from a place to a sink, and whether there is one.
func (t *Routes) From(l Loc) ([]Hop, bool) {
	i, ok := t.reach.index[l]
	if !ok || t.far[i] < 0 {
		return nil, false
	}
	var hops []Hop
	for t.far[i] > 0 {
		e := t.edge[i]
		i = t.next[i]
		hops = append(hops, Hop{Edge: e, To: t.reach.locs[i]})
	}
	return hops, true
}
