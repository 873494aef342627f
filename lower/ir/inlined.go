package ir

import (
	"slices"

	"github.com/weft-go/weft/lower/scalar"
)

// Inlined returns the kernel with the code of its functions where they are applied, for targets without
// functions; k itself if it has no functions.
func (k *Kernel) Inlined() *Kernel {
	if len(k.Funcs) == 0 {
		return k
	}
	q := *k
	q.Funcs = nil
	q.Types, q.Tables = slices.Clone(k.Types), slices.Clone(k.Tables)
	in := &inliner{k: k, q: &q}
	q.Body = in.block(k.Body)
	return &q
}

type inliner struct{ k, q *Kernel }

func (in *inliner) block(b Block) Block {
	var out Block
	for _, s := range b {
		switch s := s.(type) {
		case *Apply:
			out = in.apply(out, s)
			continue
		case *Loop:
			c := *s
			c.Body = in.block(s.Body)
			out = append(out, &c)
		case *While:
			c := *s
			c.Cond, c.Body = in.block(s.Cond), in.block(s.Body)
			out = append(out, &c)
		case *If:
			c := *s
			c.Then, c.Else = in.block(s.Then), in.block(s.Else)
			out = append(out, &c)
		case *Reduce:
			c := *s
			c.Body = in.block(s.Body)
			out = append(out, &c)
		case *Cumulate:
			c := *s
			c.Body, c.Then = in.block(s.Body), in.block(s.Then)
			out = append(out, &c)
		default:
			out = append(out, s)
		}
	}
	return out
}

// apply writes a function's operations. A result is copied by a select between two equal values, which every
// target can do.
func (in *inliner) apply(out Block, s *Apply) Block {
	p := in.k.Funcs[s.Func]
	at := make([]Ref, len(p.Code))
	let := func(r Ref, i scalar.Inst) { out = append(out, &Let{r, i}) }
	value := func(i scalar.Inst) Ref {
		in.q.Types = append(in.q.Types, i.Type)
		r := Ref(len(in.q.Types) - 1)
		let(r, i)
		return r
	}
	for i, inst := range p.Code {
		if inst.Op == scalar.OpParam {
			at[i] = s.Args[ParamIndex(p, inst.Imm)]
			continue
		}
		if inst.Op == scalar.OpLookup {
			inst.Imm = uint64(in.q.table(p.Tables[inst.Imm]))
		}
		for k, a := range inst.Args {
			if a != NoRef {
				inst.Args[k] = at[a]
			}
		}
		at[i] = value(inst)
	}
	yes := value(scalar.Inst{Op: scalar.OpConst, Type: scalar.Bool, Args: [3]Ref{NoRef, NoRef, NoRef}, Imm: 1})
	for i, r := range p.Results {
		let(s.Dst[i], scalar.Inst{Op: scalar.OpSelect, Type: p.Code[r].Type, Args: [3]Ref{yes, at[r], at[r]}})
	}
	return out
}

// table returns the index of a table, which it adds if it is not there.
func (k *Kernel) table(t Table) int {
	for i, u := range k.Tables {
		if u.Type == t.Type && slices.Equal(u.Bits, t.Bits) {
			return i
		}
	}
	k.Tables = append(k.Tables, t)
	return len(k.Tables) - 1
}
