package runtime

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// scan runs its body once for each element of the leading axis. Stacked results are allocated
// whole and filled row by row.
type scan struct {
	body          *program
	length        int
	consts, carry int
	reverse       bool
	rows          []core.ShapedArray // types of the rows: the elements of a leading axis
	stacked       []core.ShapedArray
	own           []bool // for each argument of the body, whether it is a carry or a row

	args, outs lists
}

func newScan(p *jaxpr.Scan, types []core.ShapedArray) *scan {
	return &scan{body: programOf(p.Jaxpr), length: p.Length, consts: p.NumConsts, carry: p.NumCarry, reverse: p.Reverse,
		rows: p.Jaxpr.InAvals()[p.NumConsts+p.NumCarry:], stacked: types[p.NumCarry:],
		own: marksFrom(p.NumConsts, len(p.Jaxpr.Ins))}
}

func (s *scan) run(x *run, in, out []*Array) { s.taking(x, in, out, nil) }

func (s *scan) taking(x *run, in, out []*Array, own []bool) {
	nk := s.consts + s.carry
	argList, outList := s.args.get(len(in)), s.outs.get(len(out))
	args, outs := *argList, *outList
	copy(args, in[:nk])
	carry, ys := args[s.consts:nk], out[s.carry:]
	for i, a := range carry {
		if own == nil || !own[s.consts+i] {
			retain(a)
		}
	}
	for k, t := range s.rows {
		args[nk+k] = x.rowOf(t)
	}
	for i, t := range s.stacked {
		ys[i] = x.alloc(t)
	}
	var trip int
	if x.watch != 0 {
		defer nameTrip("scan", &trip)
	}
	for trip = range s.length {
		x.ask()
		i := trip
		if s.reverse {
			i = s.length - 1 - trip
		}
		for k, xs := range in[nk:] {
			args[nk+k].show(xs, i)
		}
		s.body.callGiving(x, args, outs, s.own)
		x.settle(outs[:s.carry])
		copy(carry, outs)
		for k, y := range outs[s.carry:] {
			row := len(y.t.Data)
			copy(ys[k].t.Data[i*row:(i+1)*row], y.t.Data)
			x.release(y)
		}
	}
	copy(out, carry)
	if own != nil {
		x.releaseOwn(in[:s.consts], own)
		x.releaseOwn(in[nk:], own[nk:])
	}
	for _, r := range args[nk:] {
		x.putRow(r)
	}
	s.args.put(argList)
	s.outs.put(outList)
}

// shared reports whether rows of a type can be viewed in place: they are not small, and each is
// aligned to 16 bytes as a tensor must be.
func shared(row core.ShapedArray) bool {
	n := row.Size() * row.DType.Size()
	return n > 64 && n%16 == 0
}

// rowOf returns an array that shows one row after the other. Rows that cannot be viewed in place
// are copied into memory of its own.
func (x *run) rowOf(t core.ShapedArray) *Array {
	var r *Array
	if n := len(x.headers); !shared(t) {
		r = x.alloc(t)
	} else if n > 0 {
		r = x.headers[n-1]
		x.headers = x.headers[:n-1]
		r.t.ShapedArray = t
	} else {
		r = boxed(&Array{t: reference.Tensor{ShapedArray: t}})
	}
	r.refs = isView
	return r
}

// show makes r show row i of xs.
func (r *Array) show(xs *Array, i int) {
	n := r.t.Size() * r.t.DType.Size()
	data := xs.t.Data[i*n : (i+1)*n : (i+1)*n]
	if shared(r.t.ShapedArray) {
		r.t.Data = data
	} else {
		copy(r.t.Data, data)
	}
}

// putRow takes back an array of rowOf.
func (x *run) putRow(r *Array) {
	if shared(r.t.ShapedArray) {
		r.t.Data, r.refs = nil, 0
		x.headers = append(x.headers, r)
		return
	}
	r.refs = 1
	x.release(r)
}
