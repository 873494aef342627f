package promote

// OrderReport is the order that a table defines on its idempotent elements:
// a ≤ b where a∘b and b∘a are both b.
type OrderReport struct {
	Elements      []string // the idempotent ones
	Reduction     *Graph   // the order's transitive reduction
	NotTransitive []Triple // a ≤ b ≤ c, but not a ≤ c; Left and Right are empty
	Cycle         []string // a cycle of ≤ by which the table defines no order; nil if there is none
	Differ        []Difference
}

// Difference is a cell in which two tables differ.
type Difference struct{ Row, Col, A, B string }

// ReadOrder reads the order off a table and compares the joins of that order
// with the table, on the idempotent elements.
func ReadOrder(a *Algebra) *OrderReport {
	r := &OrderReport{}
	var rows []int
	g := NewGraph()
	for i := range a.n {
		if a.at(i, i) == i {
			rows = append(rows, i)
			g.Add(a.names[i])
			r.Elements = append(r.Elements, a.names[i])
		}
	}
	below := func(i, j int) bool { return a.at(i, j) == j && a.at(j, i) == j }
	for x, i := range rows {
		for y, j := range rows {
			if x != y && below(i, j) {
				g.connect(x, y)
			}
		}
	}
	o, err := g.Order()
	if err != nil {
		r.Cycle = err.(*CycleError).Path
		return r
	}
	r.Reduction = o.Reduction()
	r.notTransitive(g)
	joins := o.Joins()
	for _, i := range rows {
		for _, j := range rows {
			x, y := a.names[i], a.names[j]
			if t, u := a.Cell(x, y), joins.Cell(x, y); t != u {
				if joins.at(joins.index[x], joins.index[y]) == ambiguous {
					u = candidateNames(o, g.index[x], g.index[y])
				}
				r.Differ = append(r.Differ, Difference{x, y, t, u})
			}
		}
	}
	return r
}

// notTransitive lists where g, whose edges should be transitive, has x → y → z
// without x → z.
func (r *OrderReport) notTransitive(g *Graph) {
	up := make([]bitset, g.Len())
	for x := range up {
		up[x] = newBitset(g.Len())
		for _, y := range g.up[x] {
			up[x].add(y)
		}
	}
	missing := newBitset(g.Len())
	for x := range up {
		for _, y := range g.up[x] {
			copy(missing, up[y])
			missing.andNot(up[x])
			for z := missing.least(); z >= 0 && len(r.NotTransitive) < MaxListed; z = missing.least() {
				r.NotTransitive = append(r.NotTransitive, Triple{A: g.names[x], B: g.names[y], C: g.names[z]})
				missing[z/64] &^= 1 << (z % 64)
			}
		}
	}
}

// candidateNames joins the names of the minimal upper bounds by bars.
func candidateNames(o *Order, i, j int) string {
	s := ""
	for k, n := range o.MinimalUpper(i, j) {
		if k > 0 {
			s += "|"
		}
		s += o.g.names[n]
	}
	return s
}
