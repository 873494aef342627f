package transforms

import (
	"context"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// An Exchange is a step of a program in which processes send each other rows.
type Exchange struct {
	Kind     ExchangeKind
	Axis     string // of the mesh
	For      string // the collective that it is a part of; "" for results that all processes get
	Group    []int  // ranks, ascending, this process's among them
	To, From int    // ranks, of Permuting; -1 for none
}

// ExchangeKind is what processes do with their rows.
type ExchangeKind string

const (
	Gathering  ExchangeKind = "gather"   // all get the rows of all, in their order
	Exchanging ExchangeKind = "exchange" // each gets a part of everyone's rows
	Permuting  ExchangeKind = "permute"  // rows go to one process and come from another
)

// across returns the rows that an exchange brings.
func (p *Part) across(e Exchange, rows int, x Value) Value {
	e.Axis, e.Group, e.For = p.Axis, p.Group, p.collective
	begin := p.Start
	start := func(ctx context.Context, x Value) func() Value { return begin(ctx, e, x, withRows(x.Aval(), rows)) }
	f := &prim.HostFunc{Name: string(e.Kind) + "_" + e.Axis, Op: "ShardMap"}
	f.CallIn = func(ctx context.Context, in []Value) []Value { return []Value{start(ctx, in[0])()} }
	return core.Bind1(acrossP{f, &halves{start, e}, rows}, x)
}

// withRows returns the type with another number of rows.
func withRows(a core.ShapedArray, rows int) core.ShapedArray {
	return a.WithShape(a.Shape.Slice(1, a.Rank()).Prepend(rows))
}

// acrossP is an exchange of rows along the leading axis. It runs on the host, in the order of the
// program.
type acrossP struct {
	fn   *prim.HostFunc
	of   *halves
	rows int // of the result
}

func (p acrossP) Name() string { return p.fn.Name }

// Host returns the function that is called.
func (p acrossP) Host() *prim.HostFunc { return p.fn }

func (p acrossP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	return []core.ShapedArray{withRows(in[0], p.rows)}
}

func (acrossP) Effects() core.Effect { return core.EffectOrderedIO }

// Batch exchanges the rows of the whole batch at once.
func (p acrossP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return []Value{MoveAxis(core.Bind1(p, MoveAxis(in[0], 0, 1)), 1, 0)}, []bool{true}
}

// gather returns the rows of all processes, in the order of devices.
func (p *Part) gather(x Value) Value {
	return p.across(Exchange{Kind: Gathering}, x.Aval().Shape.At(0)*len(p.Group), x)
}

// leastSaved is the number of bytes that must be saved to make two exchanges of one.
const leastSaved = 64 << 10

// sum returns the sum of the processes' values, neighbours first. A small sum gathers the values
// and adds them. For a large one each process adds a piece, and the sums are gathered.
func (p *Part) sum(x Value) Value {
	a := x.Aval()
	k, m := len(p.Group), a.Size()
	tree := func(rows Value) Value {
		return core.Bind1(prim.PsumP{Axes: prim.NamedAxes{Positions: core.MakeDims(0)}}, rows)
	}
	if saved := (k - 1) * m * a.DType.Size() * (k - 2) / k; saved < leastSaved {
		return tree(p.gather(prim.ExpandDims(x, core.MakeDims(0))))
	}
	each := (m + k - 1) / k
	flat := prim.Reshape(x, core.MakeDims(m))
	if more := each*k - m; more > 0 {
		flat = prim.Concatenate(0, flat, prim.Zeros(a.WithShape(core.MakeDims(more))))
	}
	rows := p.across(Exchange{Kind: Exchanging}, k, prim.Reshape(flat, core.MakeDims(k, each)))
	all := prim.Reshape(p.gather(prim.ExpandDims(tree(rows), core.MakeDims(0))), core.MakeDims(each*k))
	return prim.Reshape(prim.SliceAxis(all, 0, 0, m, 1), a.Shape)
}

// permute applies a permutation of the devices' rows: each process sends others only what they
// need.
func (p *Part) permute(q prim.PpermuteP, x Value) Value {
	each := p.Hi - p.Lo
	k, me := len(p.Group), p.Lo/each
	zero := -1
	from := make([]int, each) // positions in what follows
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
	for d := range k { // to the process that many places on
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
		e := Exchange{Kind: Permuting, To: -1, From: -1}
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
		rows = append(rows, prim.Zeros(withRows(a, 1)))
		for i, f := range from {
			if f == zero {
				from[i] = have
			}
		}
	}
	return prim.TakeRows(prim.Concatenate(0, rows...), from)
}
