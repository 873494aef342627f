package accuracy

import "github.com/weft-go/weft/lower/scalar"

// narrowed returns what is left of a program of one f32 when its argument is from x to y, which
// have one sign and are not NaN: choices that are made there are gone, with what only the
// other arm needs.
func narrowed(p *scalar.Prog, x, y float32) *scalar.Prog {
	same := make([]scalar.Ref, len(p.Code)) // the value that a choice was
	spans := spansOf(p, x, y)
	live := make([]bool, len(p.Code))
	for i, in := range p.Code {
		same[i] = scalar.Ref(i)
		if in.Op != scalar.OpSelect && in.Op != scalar.OpRare {
			continue
		}
		if c := spans[in.Args[0]]; c.what == known {
			arm := in.Args[2]
			if c.lo == 1 {
				arm = in.Args[1]
			}
			same[i] = same[arm]
		}
	}
	q := &scalar.Prog{In: p.In, Out: p.Out, Tables: p.Tables}
	for _, r := range p.Results {
		live[same[r]] = true
	}
	for i := len(p.Code) - 1; i >= 0; i-- {
		if live[i] {
			for k := range p.Code[i].Op.Args() {
				live[same[p.Code[i].Args[k]]] = true
			}
		}
	}
	at := make([]scalar.Ref, len(p.Code))
	for i, in := range p.Code {
		if !live[i] {
			continue
		}
		for k := range in.Op.Args() {
			in.Args[k] = at[same[in.Args[k]]]
		}
		at[i] = scalar.Ref(len(q.Code))
		q.Code = append(q.Code, in)
	}
	for _, r := range p.Results {
		q.Results = append(q.Results, at[same[r]])
	}
	return q
}
