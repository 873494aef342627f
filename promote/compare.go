package promote

// Diff lists the cells in which two systems differ, among the elements that both have. It also
// lists the elements that only one of them has.
func Diff(a, b System) (cells []Difference, onlyA, onlyB []string) {
	x, y := a.Algebra(), b.Algebra()
	var both []string
	for _, n := range x.Names() {
		if _, ok := y.Find(n); ok {
			both = append(both, n)
		} else {
			onlyA = append(onlyA, n)
		}
	}
	for _, n := range y.Names() {
		if _, ok := x.Find(n); !ok {
			onlyB = append(onlyB, n)
		}
	}
	for _, r := range both {
		for _, c := range both {
			if p, q := x.Cell(r, c), y.Cell(r, c); p != q {
				cells = append(cells, Difference{r, c, p, q})
			}
		}
	}
	return cells, onlyA, onlyB
}

// Bracketing is one way of bracketing three operands, the type of the pair, and
// the type of all three; a type is "-" where it is undefined.
type Bracketing struct{ Text, Pair, Whole string }

// Bracketings returns the three ways of combining three elements of a system:
// (a+b)+c, a+(b+c), and (a+c)+b. In a lattice they agree.
func Bracketings(s System, a, b, c string) ([3]Bracketing, error) {
	alg := s.Algebra()
	for _, n := range []string{a, b, c} {
		if _, ok := alg.Find(n); !ok {
			return [3]Bracketing{}, &Error{System: s.Name(), Why: "it has no " + n}
		}
	}
	left := func(x, y, z string) Bracketing {
		p := alg.Cell(x, y)
		return Bracketing{"(" + x + " + " + y + ") + " + z, p, alg.Cell(p, z)}
	}
	p := alg.Cell(b, c)
	return [3]Bracketing{left(a, b, c), {a + " + (" + b + " + " + c + ")", p, alg.Cell(a, p)}, left(a, c, b)}, nil
}

// Paths returns the ways up from two elements to their join along the edges of the
// system's graph; nil if it has no graph or they have no join.
func Paths(s System, a, b string) (up [2][]string) {
	g := GraphOf(s)
	if g == nil {
		return up
	}
	o, err := g.Order()
	if err != nil {
		return up
	}
	join, ok := g.index[s.Algebra().Cell(a, b)]
	if !ok {
		return up
	}
	for i, n := range []string{a, b} {
		for _, k := range o.Path(g.index[n], join) {
			up[i] = append(up[i], g.names[k])
		}
	}
	return up
}

// ElementOf returns the name of the element by which a system refers to a type.
func ElementOf(s System, t Type) (string, bool) {
	var i int
	if f, ok := s.(interface{ find(Type) int }); ok {
		i = f.find(t)
	} else {
		i = s.Algebra().node(t)
	}
	if i < 0 {
		return "", false
	}
	return s.Algebra().names[i], true
}
