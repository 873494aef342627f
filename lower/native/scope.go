package native

// scope is the body of a loop, or of the kernel, that is being written. Values that do not change in a scope
// are computed in front of it.
type scope struct {
	before   []Inst // the code in front, while the body is written
	consts   []constant
	bytes    map[string]VReg
	sums     map[sumKey]VReg // addresses, and sums of terms
	spread   map[spreadKey]spreadValue
	coords   map[coordKey]VReg // computed coordinates that all lanes share
	added    map[[2]VReg]VReg  // sums of two registers
	derived  map[derivedKey]VReg
	rows     map[rowsKey][]VReg // vectors of whole rows, where each lane is a row
	permuted map[permutedKey]VReg
	hoisting bool
}

// constant is a vector constant that a scope has in a register.
type constant struct {
	constKey
	reg VReg
}

func (g *Gen) top() *scope { return g.scopes[len(g.scopes)-1] }

// enter begins a scope: what is written next is its body.
func (g *Gen) enter() {
	g.scopes = append(g.scopes, &scope{before: g.List})
	g.List = nil
	if n := len(g.spare) - 1; n >= 0 {
		g.List, g.spare = g.spare[n], g.spare[:n]
	}
}

// leave ends the innermost scope and appends its body.
func (g *Gen) leave() {
	n := len(g.scopes) - 1
	s := g.scopes[n]
	g.scopes = g.scopes[:n]
	body := g.List
	g.List = append(s.before, body...)
	g.spare = append(g.spare, body[:0])
}

// forget forgets what depends on the axes and lanes of the scope.
func (s *scope) forget() {
	s.sums, s.coords, s.added, s.derived, s.rows, s.permuted = nil, nil, nil, nil, nil, nil
}

func (g *Gen) hoistConst(r VReg) {
	in := Inst{Kind: KindConst, D: r}
	if s := g.top(); s.hoisting {
		g.List = append(g.List, in)
	} else {
		s.before = append(s.before, in)
	}
}

func (g *Gen) hoistTo(n int, f func()) {
	s := g.scopes[n]
	if s.hoisting {
		f()
		return
	}
	s.hoisting = true
	body, scopes := g.List, g.scopes
	g.List, g.scopes = s.before, g.scopes[:n+1]
	f()
	s.before = g.List
	g.List, g.scopes = body, scopes
	s.hoisting = false
}

// derivedKey identifies a value that all lookups with one index share: a shifted index, or its pairs of words.
type derivedKey struct {
	x    VReg
	form int
}

// Derived returns f(x). The innermost scope computes it once for each form.
func (g *Gen) Derived(x VReg, form int, f func(VReg) VReg) VReg {
	s := g.top()
	key := derivedKey{x, form}
	if r, ok := s.derived[key]; ok {
		return r
	}
	r := f(x)
	if s.derived == nil {
		s.derived = map[derivedKey]VReg{}
	}
	s.derived[key] = r
	return r
}
