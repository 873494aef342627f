package fuzzgen

import (
	"maps"
	"slices"
)

// free calls f with every variable that fn uses and does not bind, once for each use.
// Rules are left out: they are no part of the function that is recorded. What is only
// handed on to a function that does not use it is not used.
func (fn *Func) free(f func(*Var)) {
	fn.freeIn(map[*Var]bool{}, false, f)
}

// freeIn calls f with the unbound variables that fn uses, and if handed is set also with those that it only hands on.
func (fn *Func) freeIn(bound map[*Var]bool, handed bool, f func(*Var)) {
	for _, p := range fn.Params {
		bound[p] = true
	}
	one := func(a Arg) {
		if a.Var != nil && !bound[a.Var] {
			f(a.Var)
		}
	}
	use := func(args []Arg) {
		for _, a := range args {
			one(a)
		}
	}
	for _, n := range fn.Body {
		w := n.W
		if w == nil {
			use(n.In)
		} else {
			use(w.Again)
			use(w.Bounds[:])
			for k, a := range n.In {
				if handed || !n.hands(k) || w.Fs[0].uses(k) {
					one(a)
				}
			}
			for _, list := range w.Along {
				for k, a := range list {
					if handed || w.Mode != Direct || w.Kind != JVP || w.Fs[0].uses(k) {
						one(a)
					}
				}
			}
			for k, g := range w.Fs {
				if k > 0 && (w.Kind == CustomJVP || w.Kind == CustomVJP) {
					continue
				}
				g.freeIn(bound, handed, f)
			}
		}
		for _, v := range n.Out {
			bound[v] = true
		}
	}
	use(fn.Outs)
}

// uses reports whether the function uses its parameter k.
func (fn *Func) uses(k int) bool {
	p := fn.Params[k]
	used := false
	g := &Func{Params: slices.Delete(slices.Clone(fn.Params), k, k+1), Body: fn.Body, Outs: fn.Outs}
	g.free(func(v *Var) { used = used || v == p })
	return used
}

// freeVars returns the free variables, each once.
func (fn *Func) freeVars() []*Var { return fn.freeOnce(false) }

// seenVars returns the free variables and those that are only handed on, each once.
func (fn *Func) seenVars() []*Var { return fn.freeOnce(true) }

func (fn *Func) freeOnce(handed bool) []*Var {
	var out []*Var
	fn.freeIn(map[*Var]bool{}, handed, func(v *Var) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	})
	return out
}

// Open reports whether the function, or a rule within it, uses variables of the functions
// around it, or names an axis.
func (fn *Func) Open() bool {
	bound := map[*Var]bool{}
	open := false
	var walk func(f *Func)
	use := func(as []Arg) {
		for _, a := range as {
			open = open || a.Var != nil && !bound[a.Var]
		}
	}
	walk = func(f *Func) {
		for _, p := range f.Params {
			bound[p] = true
		}
		for _, n := range f.Body {
			use(n.In)
			open = open || n.Op == "axisindex"
			if w := n.W; w != nil {
				for _, l := range w.Along {
					use(l)
				}
				use(w.Again)
				use(w.Bounds[:])
				for _, g := range w.Fs {
					walk(g)
				}
			}
			for _, v := range n.Out {
				bound[v] = true
			}
		}
		use(f.Outs)
	}
	walk(fn)
	return open
}

// live returns the variables on which the results of fn depend, of the functions around and
// within it too.
func (fn *Func) live() map[*Var]bool {
	live := map[*Var]bool{}
	use := func(as []Arg) {
		for _, a := range as {
			live[a.Var] = true
		}
	}
	use(fn.Outs)
	for _, n := range slices.Backward(fn.Body) {
		if !slices.ContainsFunc(n.Out, func(v *Var) bool { return live[v] }) {
			continue
		}
		use(n.In)
		if w := n.W; w != nil {
			use(w.Again)
			use(w.Bounds[:])
			for _, l := range w.Along {
				use(l)
			}
			for _, g := range w.Fs {
				maps.Copy(live, g.live())
			}
		}
	}
	return live
}

// prune drops nodes that nothing depends on, in functions within too.
func (fn *Func) prune() {
	live := fn.live()
	fn.Body = slices.DeleteFunc(fn.Body, func(n *Node) bool {
		return !slices.ContainsFunc(n.Out, func(v *Var) bool { return live[v] })
	})
	for _, n := range fn.Body {
		if n.W != nil {
			for _, g := range n.W.Fs {
				g.prune()
			}
		}
	}
}
