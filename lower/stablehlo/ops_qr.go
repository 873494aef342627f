package stablehlo

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
)

// JAX and Write export qr as geqrf or geqp3, orgqr and a selection of the upper triangle.
// Reflectors have no derivative, qr has one: where nothing else reads the reflectors, the calls
// become qr.

// qrCalls returns the call of orgqr that computes Q from the results of o, the last of which is τ, or nil if there is none.
// full reports whether Q is square although the matrices have more rows than columns. ok is false if the calls cannot become qr,
// for example because more than R's triangle is read.
func (f *frame) qrCalls(o *op, a core.ShapedArray, results int) (orgqr *op, full, ok bool) {
	if f.fn.body == nil || o.results != results {
		return nil, false, false
	}
	r := regionOf(f.fn.body, o)
	packed, taus := o.result, o.result+results-1
	readers, ok := users(r, taus)
	if !ok || len(readers) > 1 {
		return nil, false, false
	}
	reflectors := packed
	if len(readers) == 1 {
		orgqr = readers[0]
		if !isOrgqr(f, orgqr) || orgqr.in[1] != taus || orgqr.in[0] == taus {
			return nil, false, false
		}
		reflectors = orgqr.in[0]
	}
	m, n := a.Shape.At(-2), a.Shape.At(-1)
	switch d := definition(r, reflectors); {
	case orgqr == nil:
	case reflectors == packed:
		if m < n {
			return nil, false, false
		}
	case d == nil || len(d.in) == 0 || d.in[0] != packed || m == n:
		return nil, false, false
	case m < n:
		square := append(a.Shape.Ints()[:a.Rank()-1], m)
		if !slices.Equal(f.cut(d, a), square) {
			return nil, false, false
		}
	default:
		if full = f.isWidened(d, m-n); !full {
			return nil, false, false
		}
	}
	if reflectors != packed {
		if readers, ok := users(r, reflectors); !ok || len(readers) != 1 {
			return nil, false, false
		}
	}
	if readers, ok = users(r, packed); !ok {
		return nil, false, false
	}
	for _, u := range readers {
		switch {
		case u == orgqr || u.result == reflectors && u.results == 1:
		case f.readsTriangle(r, u, packed):
		case f.cut(u, a) != nil:
			parts, ok := users(r, u.result)
			if !ok || slices.ContainsFunc(parts, func(p *op) bool { return !f.readsTriangle(r, p, u.result) }) {
				return nil, false, false
			}
		default:
			return nil, false, false
		}
	}
	return orgqr, full, true
}

func isOrgqr(f *frame, o *op) bool {
	if o.name != "stablehlo.custom_call" || len(o.in) != 2 || o.results != 1 {
		return false
	}
	target := f.text(o, "call_target_name")
	for letter := range lapackTypes {
		if target == lapackTarget("orgqr", letter) {
			return true
		}
	}
	return false
}

// cut returns the limits of a slice that begins at the first element and has no gaps, nil for anything else.
func (f *frame) cut(o *op, a core.ShapedArray) []int {
	if o.name != "stablehlo.slice" {
		return nil
	}
	limits := f.ints(o, "limit_indices")
	if len(limits) != a.Rank() || !all(f.ints(o, "start_indices"), 0) || !all(f.ints(o, "strides"), 1) {
		return nil
	}
	return limits
}

// isWidened reports whether an operation adds the given number of columns to matrices.
func (f *frame) isWidened(o *op, columns int) bool {
	if o.name != "stablehlo.pad" {
		return false
	}
	high := f.ints(o, f.either(o, "high", "edge_padding_high"))
	return len(high) > 0 && high[len(high)-1] == columns && all(high[:len(high)-1], 0) &&
		all(f.ints(o, f.either(o, "low", "edge_padding_low")), 0) && all(f.ints(o, f.either(o, "interior", "interior_padding")), 0)
}

// readsTriangle reports whether an operation replaces what is below the diagonal: JAX selects
// by row − 1 ≥ column, Write by row ≤ column.
func (f *frame) readsTriangle(r *region, o *op, packed int) bool {
	if o.name != "stablehlo.select" || len(o.in) != 3 {
		return false
	}
	mask, yes, no := o.in[0], o.in[1], o.in[2]
	return no == packed && yes != packed && f.comparesRows(r, mask, "GE", true) ||
		yes == packed && no != packed && f.comparesRows(r, mask, "LE", false)
}

// comparesRows reports whether a value is a matrix of booleans, or a batch of them, that compare the row with the column.
// If before is set, the row less one is compared.
func (f *frame) comparesRows(r *region, id int, direction string, before bool) bool {
	o := definition(r, id)
	if o == nil || len(o.types) != 1 {
		return false
	}
	if o.name == "stablehlo.broadcast_in_dim" && len(o.in) == 1 {
		from, rank := definition(r, o.in[0]), len(o.types[0].dims)
		if from == nil || rank < 2 || len(from.types) != 1 || !slices.Equal(from.types[0].dims, o.types[0].dims[rank-2:]) ||
			!slices.Equal(f.ints(o, f.either(o, "dims", "broadcast_dimensions")), []int{rank - 2, rank - 1}) {
			return false
		}
		o = from
	}
	rank := len(o.types[0].dims)
	if o.name != "stablehlo.compare" || rank < 2 || len(o.in) != 2 || f.direction(o) != direction || !f.counts(r, o.in[1], rank-1) {
		return false
	}
	if !before {
		return f.counts(r, o.in[0], rank-2)
	}
	sum := definition(r, o.in[0])
	return sum != nil && sum.name == "stablehlo.add" && len(sum.in) == 2 && f.counts(r, sum.in[0], rank-2) && f.isMinusOne(r, sum.in[1])
}

// counts reports whether a value is an iota along an axis, of signed integers that cannot overflow.
func (f *frame) counts(r *region, id, axis int) bool {
	o := definition(r, id)
	if o == nil || o.name != "stablehlo.iota" || len(o.types) != 1 {
		return false
	}
	if dt := o.types[0].elem; dt != core.Int32 && dt != core.Int64 {
		return false
	}
	return f.int(o, f.either(o, "dim", "iota_dimension")) == axis
}

func (f *frame) isMinusOne(r *region, id int) bool {
	if o := definition(r, id); o != nil && o.name == "stablehlo.broadcast_in_dim" && len(o.in) == 1 {
		id = o.in[0]
	}
	n, ok := int64(0), false
	if o := definition(r, id); o != nil && o.name == "stablehlo.constant" {
		n, ok = f.integer(r, id)
	}
	return ok && n == -1
}

func all(list []int, want int) bool {
	return !slices.ContainsFunc(list, func(n int) bool { return n != want })
}

// regionOf returns the region that has an operation: r or one within it; nil if there is none.
func regionOf(r *region, o *op) *region {
	if slices.Contains(r.ops, o) {
		return r
	}
	for _, outer := range r.ops {
		for _, inner := range outer.regions {
			if found := regionOf(inner, o); found != nil {
				return found
			}
		}
	}
	return nil
}

// users returns the operations of a region that read a value. ok is false if an operation in a nested region does.
func users(r *region, id int) (list []*op, ok bool) {
	if r == nil {
		return nil, false
	}
	for _, o := range r.ops {
		if slices.Contains(o.in, id) {
			list = append(list, o)
		}
		for _, inner := range o.regions {
			if l, ok := users(inner, id); !ok || len(l) > 0 {
				return nil, false
			}
		}
	}
	return list, true
}

// geqrfCall returns R and the reflectors, or only R if nothing but orgqr would read the reflectors.
func geqrfCall(f *frame, o *op, in []core.Value) []core.Value {
	if upper, _, ok := f.qr(o, in[0], 2); ok {
		return []core.Value{upper, f.zeros(o, 1)}
	}
	packed, taus := matrices.Geqrf(in[0])
	return []core.Value{packed, taus}
}

// qr returns R in the place of R and the reflectors, for calls that become qr. If o has three results, it also returns the
// order of the columns. It keeps Q for orgqr.
func (f *frame) qr(o *op, x core.Value, results int) (upper, columns core.Value, ok bool) {
	a := x.Aval()
	orgqr, full, ok := f.qrCalls(o, a, results)
	if !ok {
		return nil, nil, false
	}
	out := core.Bind(matrices.QRP{Full: full, Pivoting: results == 3}, x)
	if orgqr != nil {
		if f.q == nil {
			f.q = map[*op]core.Value{}
		}
		f.q[orgqr] = out[0]
	}
	upper = out[1]
	if missing := a.Shape.At(-2) - upper.Aval().Shape.At(-2); missing > 0 {
		high := make([]int, a.Rank())
		high[a.Rank()-2] = missing
		none := make([]int, a.Rank())
		upper = f.pad(upper, core.Lit(core.IntNumber(0), a.DType), none, high, none)
	}
	if results == 3 {
		columns = out[2]
	}
	return upper, columns, true
}

func orgqrCall(f *frame, o *op, in []core.Value) []core.Value {
	if q, ok := f.q[o]; ok {
		return []core.Value{q}
	}
	return []core.Value{matrices.HouseholderProduct(in[0], in[1])}
}
