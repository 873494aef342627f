package amd64

// scope is the body of a loop, or of the kernel, that is being written. What does not
// change in it is computed in front of it.
type scope struct {
	before   []minst // the code in front, while the body is written
	consts   []constant
	bytes    map[string]vreg
	sums     map[sumKey]vreg // of axes
	spread   map[spreadKey]spreadValue
	coords   map[coordKey]vreg // computed coordinates that all lanes share
	added    map[[2]vreg]vreg  // sums of two registers
	derived  map[derivedKey]vreg
	hoisting bool
}

// constant is a vector constant that a scope has in a register.
type constant struct {
	constKey
	reg vreg
}

// top returns the innermost scope.
func (g *gen) top() *scope { return g.scopes[len(g.scopes)-1] }

// enter begins a scope: what is written next is its body.
func (g *gen) enter() {
	g.scopes = append(g.scopes, &scope{before: g.list})
	g.list = nil
	if n := len(g.spare) - 1; n >= 0 {
		g.list, g.spare = g.spare[n], g.spare[:n]
	}
}

// leave ends the innermost scope and appends its body.
func (g *gen) leave() {
	n := len(g.scopes) - 1
	s := g.scopes[n]
	g.scopes = g.scopes[:n]
	body := g.list
	g.list = append(s.before, body...)
	g.spare = append(g.spare, body[:0])
}

// hoistConst defines a constant in front of the innermost scope.
func (g *gen) hoistConst(r vreg) {
	in := minst{kind: kindConst, d: r}
	if s := g.top(); s.hoisting {
		g.list = append(g.list, in)
	} else {
		s.before = append(s.before, in)
	}
}

// hoistTo writes in front of scope n.
func (g *gen) hoistTo(n int, f func()) {
	s := g.scopes[n]
	if s.hoisting {
		f()
		return
	}
	s.hoisting = true
	body, scopes := g.list, g.scopes
	g.list, g.scopes = s.before, g.scopes[:n+1]
	f()
	s.before = g.list
	g.list, g.scopes = body, scopes
	s.hoisting = false
}

// derivedKey names what the tables of one index share: a shift of it, or its pairs of words.
type derivedKey struct {
	x    vreg
	form int
}

// pairIndex as the form of a derivedKey; the others are shifts.
const pairIndex = -1
