package simt

import "github.com/weft-go/weft/lower/scalar"

// inline emits a program of the components of operands, and returns those of its results. Its OpRares, if it has any, have one condition; what they
// alone need is behind a branch.
func (e *emitter) inline(p *scalar.Prog, operands ...[]Reg) []Reg {
	at := make([]Reg, len(p.Code))
	write := func(i int) {
		in := p.Code[i]
		for k, a := range in.Args {
			if a != NoReg {
				in.Args[k] = at[a]
			}
		}
		switch in.Op {
		case scalar.OpParam:
			at[i] = operands[in.Imm>>8][in.Imm&0xff]
		case scalar.OpWiden:
			at[i] = e.widen(in.DType, in.Args[0])
		case scalar.OpNarrow:
			at[i] = e.narrow(in.DType, in.Args[0])
		case scalar.OpLookup:
			bug("a program that reads a table")
		default:
			at[i] = e.reg(in.Type)
			e.add(&Op{at[i], in})
		}
	}
	usual, late := make([]bool, len(p.Code)), make([]bool, len(p.Code)) // what is needed whatever the condition is, and what needs an OpRare
	for _, r := range p.Results {
		usual[r] = true
	}
	for i := len(p.Code) - 1; i >= 0; i-- {
		for k, a := range p.Code[i].Args {
			if a != NoReg && usual[i] && !(p.Code[i].Op == scalar.OpRare && k == 1) {
				usual[a] = true
			}
		}
	}
	var rares []int
	for i, in := range p.Code {
		for _, a := range in.Args {
			late[i] = late[i] || a != NoReg && late[a]
		}
		switch {
		case in.Op == scalar.OpRare:
			late[i], rares = true, append(rares, i)
		case usual[i] && !late[i]:
			write(i)
		}
	}
	for _, i := range rares {
		at[i] = e.copied(at[p.Code[i].Args[2]])
	}
	if len(rares) > 0 {
		e.when(at[p.Code[rares[0]].Args[0]], func() {
			for i := range p.Code {
				if !usual[i] {
					write(i)
				}
			}
			for _, i := range rares {
				e.move(at[i], at[p.Code[i].Args[1]])
			}
		})
	}
	for i, in := range p.Code {
		if late[i] && in.Op != scalar.OpRare {
			write(i)
		}
	}
	results := make([]Reg, len(p.Results))
	for i, r := range p.Results {
		results[i] = at[r]
	}
	return results
}
