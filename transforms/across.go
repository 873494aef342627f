package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/transforms/exchange"
)

func (p *Part) across(e exchange.Exchange, rows int, x Value) Value {
	e.Axis, e.Group, e.For = p.Axis, p.Group, p.collective
	return exchange.Rows(p.Start, e, rows, x)
}

// gather returns the rows of all processes, in the order of devices.
func (p *Part) gather(x Value) Value {
	return p.across(exchange.Exchange{Kind: exchange.Gathering}, x.Aval().Shape.At(0)*len(p.Group), x)
}

// leastSaved is the number of bytes that two exchanges must save to be used in place of one.
const leastSaved = 64 << 10

// tree adds up x along an axis: neighbours first, then the sums of neighbours, and so on.
func tree(x Value, axis int) Value {
	return core.Bind1(prim.PsumP{Axes: prim.NamedAxes{Positions: core.MakeDims(axis)}}, x)
}

// own returns the sum of this process's rows, as one row, if it is a subtree of the sum of all
// processes' rows; otherwise it returns the rows.
func (p *Part) own(x Value) Value {
	a := x.Aval()
	if (prim.PsumP{}).AddsInTree(a, a.Shape.At(0)) {
		return SumOfRows(x)
	}
	return x
}

// sum returns the sum of the rows of all processes. A small sum gathers the rows and adds them. For
// a large one each process adds a piece of all rows, and the sums are gathered.
func (p *Part) sum(x Value) Value {
	x = p.own(x)
	a := x.Aval()
	k, r := len(p.Group), a.Shape.At(0)
	shape := a.Shape.Slice(1, a.Rank())
	m := a.WithShape(shape).Size()
	if saved := (k - 1) * m * a.DType.Size() * (r*k - r - 1) / k; saved < leastSaved {
		return tree(p.gather(x), 0)
	}
	each := (m + k - 1) / k
	flat := prim.Reshape(x, core.MakeDims(r, m))
	if more := each*k - m; more > 0 {
		flat = prim.Concatenate(1, flat, prim.Zeros(a.WithShape(core.MakeDims(r, more))))
	}
	pieces := prim.Reshape(MoveAxis(prim.Reshape(flat, core.MakeDims(r, k, each)), 1, 0), core.MakeDims(k*r, each))
	all := prim.Reshape(p.across(exchange.Exchange{Kind: exchange.Summing}, k, pieces), core.MakeDims(each*k))
	return prim.Reshape(prim.SliceAxis(all, 0, 0, m, 1), shape)
}

// SumOfRows returns the sum of the rows of x as one row: what a process computes between the two
// halves of [exchange.Summing].
func SumOfRows(x Value) Value { return prim.ExpandDims(tree(x, 0), core.MakeDims(0)) }

// scatter cuts an axis of every row into a part for each device of the mesh axis. It returns the
// parts of this process's devices, of the rows of all processes: the devices and the rows are the
// leading axes.
func (p *Part) scatter(x Value, axis int) Value {
	k, n := len(p.Group), p.N
	s := x.Aval().Shape.Ints()
	r := s[0]
	s[axis] /= n
	parts := MoveAxis(prim.Reshape(x, core.MakeDims(slices.Insert(s, axis, n)...)), axis, 0)
	got := p.across(exchange.Exchange{Kind: exchange.Exchanging}, n, parts) // of each process, this one's devices' parts
	rest := got.Aval().Shape.Slice(2, got.Aval().Rank()).Ints()
	got = MoveAxis(prim.Reshape(got, core.MakeDims(append([]int{k, n / k, r}, rest...)...)), 0, 1)
	return prim.Reshape(got, core.MakeDims(append([]int{n / k, k * r}, rest...)...))
}

// permute applies a permutation of the devices' rows: each process sends others only what they
// need.
func (p *Part) permute(q prim.PpermuteP, x Value) Value {
	each := p.Hi - p.Lo
	k, me := len(p.Group), p.Lo/each
	zero := -1
	from := make([]int, each) // positions among the rows that are collected below
	for i := range from {
		from[i] = zero
	}
	type pair struct{ source, target int }
	var pairs []pair
	for i := 0; i < q.Perm.Len(); i += 2 {
		pairs = append(pairs, pair{q.Perm.At(i), q.Perm.At(i + 1)})
	}
	slices.SortFunc(pairs, func(a, b pair) int { return a.target - b.target })
	rows := []Value{x}
	have := each
	for d := range k { // the target is d processes after the source
		var send, receive []int
		traffic := false
		for _, v := range pairs {
			if s, t := v.source/each, v.target/each; (t-s+k)%k == d {
				traffic = true
				if s == me {
					send = append(send, v.source-p.Lo)
				}
				if t == me {
					receive = append(receive, v.target-p.Lo)
					if d == 0 {
						from[v.target-p.Lo] = v.source - p.Lo
					}
				}
			}
		}
		if d == 0 || !traffic {
			continue
		}
		e := exchange.Exchange{Kind: exchange.Permuting, To: -1, From: -1}
		if send != nil {
			e.To = p.Group[(me+d)%k]
		}
		if receive != nil {
			e.From = p.Group[(me-d+k)%k]
		}
		rows = append(rows, p.across(e, len(receive), prim.TakeRows(x, send)))
		for i, t := range receive {
			from[t] = have + i
		}
		have += len(receive)
	}
	if slices.Contains(from, zero) {
		a := x.Aval()
		rows = append(rows, prim.Zeros(exchange.WithRows(a, 1)))
		for i, f := range from {
			if f == zero {
				from[i] = have
			}
		}
	}
	return prim.TakeRows(prim.Concatenate(0, rows...), from)
}
