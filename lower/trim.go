package lower

import (
	"slices"

	"github.com/weft-go/weft/jaxpr"
)

// A trimmer drops from loops and branches the results that nothing uses, the equations that only
// these need, and the operands that nothing reads afterwards. A carried value stays if an
// iteration or the condition needs it for something that stays.
type trimmer struct {
	pruned map[trimKey]trimmed // programs within each other are pruned once for each choice of results
}

type trimKey struct {
	j    *jaxpr.Jaxpr
	outs string // one byte a result
}

type trimmed struct {
	j   *jaxpr.Jaxpr
	ins []bool
}

// keep returns e. A loop or a branch loses the results that are not used. keep returns nil if nothing
// needs e.
func (t *trimmer) keep(e *jaxpr.Eqn, used []bool) *jaxpr.Eqn {
	switch {
	case !slices.Contains(used, true):
		if removable(e) {
			return nil
		}
		return e
	case !slices.Contains(used, false):
		return e
	}
	switch q := e.Prim.(type) {
	case *jaxpr.Scan:
		return t.scan(e, q, slices.Clone(used))
	case *jaxpr.While:
		return t.while(e, q, slices.Clone(used))
	case *jaxpr.Cond:
		return t.cond(e, q, slices.Clone(used))
	}
	return e
}

// prune returns a program with the results that `outs` marks, and which inputs these need.
func (t *trimmer) prune(j *jaxpr.Jaxpr, outs []bool) (*jaxpr.Jaxpr, []bool) {
	b := make([]byte, len(outs))
	for i, used := range outs {
		if used {
			b[i] = 1
		}
	}
	key := trimKey{j, string(b)}
	p, ok := t.pruned[key]
	if !ok {
		p.j, p.ins = jaxpr.Prune(j, outs, t.keep)
		if t.pruned == nil {
			t.pruned = map[trimKey]trimmed{}
		}
		t.pruned[key] = p
	}
	return p.j, p.ins
}

// maxRounds bounds how often a body is pruned, so that the pass takes time linear in the number
// of equations.
const maxRounds = 8

// carried prunes a loop's body, whose inputs from first on are carries, and marks in used the
// carries that stay: those whose results are used or that an iteration reads. All stay if a chain
// of carries needs more than maxRounds rounds.
func (t *trimmer) carried(body *jaxpr.Jaxpr, first, carries int, used []bool) (*jaxpr.Jaxpr, []bool) {
	for k := 0; ; k++ {
		if k == maxRounds {
			for i := range carries {
				used[i] = true
			}
		}
		pruned, ins := t.prune(body, used)
		grew := false
		for i := range carries {
			if ins[first+i] && !used[i] {
				used[i], grew = true, true
			}
		}
		if !grew {
			return pruned, ins
		}
	}
}

func (t *trimmer) scan(e *jaxpr.Eqn, q *jaxpr.Scan, used []bool) *jaxpr.Eqn {
	body, ins := t.carried(q.Jaxpr, q.NumConsts, q.NumCarry, used)
	ins = slices.Clone(ins)
	copy(ins[q.NumConsts:], used[:q.NumCarry])
	if !slices.Contains(used, false) && !slices.Contains(ins, false) {
		return e
	}
	n := *q
	n.Jaxpr, n.Primal, n.PrimalArgs = withIns(body, ins), nil, nil
	n.NumConsts, n.NumCarry = count(ins[:q.NumConsts]), count(used[:q.NumCarry])
	return &jaxpr.Eqn{Outs: marked(e.Outs, used), Prim: &n, Ins: marked(e.Ins, ins), Site: e.Site}
}

func (t *trimmer) while(e *jaxpr.Eqn, q *jaxpr.While, used []bool) *jaxpr.Eqn {
	cond, condIns := t.prune(q.Cond, []bool{true})
	for i := range used {
		used[i] = used[i] || condIns[q.CondConsts+i]
	}
	body, bodyIns := t.carried(q.Body, q.BodyConsts, len(used), used)
	condIns, bodyIns = slices.Clone(condIns), slices.Clone(bodyIns)
	copy(condIns[q.CondConsts:], used)
	copy(bodyIns[q.BodyConsts:], used)
	if !slices.Contains(used, false) && !slices.Contains(condIns, false) && !slices.Contains(bodyIns, false) {
		return e
	}
	n := *q
	n.Cond, n.Body = withIns(cond, condIns), withIns(body, bodyIns)
	n.CondConsts, n.BodyConsts = count(condIns[:q.CondConsts]), count(bodyIns[:q.BodyConsts])
	in := slices.Concat(condIns[:q.CondConsts], bodyIns)
	return &jaxpr.Eqn{Outs: marked(e.Outs, used), Prim: &n, Ins: marked(e.Ins, in), Site: e.Site}
}

func (t *trimmer) cond(e *jaxpr.Eqn, q *jaxpr.Cond, used []bool) *jaxpr.Eqn {
	in := make([]bool, len(e.Ins))
	in[0] = true
	branches := make([]*jaxpr.Jaxpr, len(q.Branches))
	for i, b := range q.Branches {
		var ins []bool
		branches[i], ins = t.prune(b, used)
		for k, read := range ins {
			in[1+k] = in[1+k] || read
		}
	}
	for i, b := range branches {
		branches[i] = withIns(b, in[1:])
	}
	n := *q
	n.Branches = branches
	return &jaxpr.Eqn{Outs: marked(e.Outs, used), Prim: &n, Ins: marked(e.Ins, in), Site: e.Site}
}

// withIns returns a program with the marked inputs only; nothing reads the others.
func withIns(j *jaxpr.Jaxpr, marks []bool) *jaxpr.Jaxpr {
	if !slices.Contains(marks, false) {
		return j
	}
	return &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: marked(j.Ins, marks), Eqns: j.Eqns, Outs: j.Outs}
}

func marked[E any](list []E, marks []bool) (out []E) {
	for i, x := range list {
		if marks[i] {
			out = append(out, x)
		}
	}
	return out
}

func count(marks []bool) (n int) {
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}
