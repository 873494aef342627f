package weft

import (
	"iter"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
)

type form[P any] = leaves.Form[P, Array]

type defOf = *tree.Def[Array]

// formOf returns the form of P. A type that is not a tree is refused, naming the operation.
func formOf[P any](op string) form[P] { return leaves.Of[P](op, FromValue) }

func together[P any](def defOf, vals []core.Value) P {
	return leaves.Together[P](def, vals, FromValue)
}

// funcOf returns the adapter of a function for an operation that writes nothing back.
func funcOf(op string, f any) *leaves.Func[Array] { return leaves.FuncOf(op, f, FromValue) }

func arraysOf(vs []core.Value) []Array {
	out := make([]Array, len(vs))
	for i, v := range vs {
		out[i] = FromValue(v)
	}
	return out
}

func requireOption(op string, isNil bool) {
	if isNil {
		core.FailOp(core.ErrStatic, op, nil, "an option is nil; leave it out")
	}
}

// TreeMap returns p with f applied to every array. A leaf of the type float0, which a gradient
// has for a frozen field or an integer, is kept.
func TreeMap[P any](f func(Array) Array, p P) P {
	leaves.RequireNonNil("TreeMap", f)
	return treeMap("TreeMap", func(x []Array) Array { return f(x[0]) }, &p)
}

// TreeMap2 returns p with f applied to every array of p and the array at the same position in q.
// The trees have one structure and equal statics. Where a leaf has the type float0 (the gradient
// of an integer), p's leaf is kept.
func TreeMap2[P any](f func(x, y Array) Array, p, q P) P {
	leaves.RequireNonNil("TreeMap2", f)
	return treeMap("TreeMap2", func(x []Array) Array { return f(x[0], x[1]) }, &p, &q)
}

// TreeMap3 is [TreeMap2] for three trees.
func TreeMap3[P any](f func(x, y, z Array) Array, p, q, r P) P {
	leaves.RequireNonNil("TreeMap3", f)
	return treeMap("TreeMap3", func(x []Array) Array { return f(x[0], x[1], x[2]) }, &p, &q, &r)
}

func treeMap[P any](op string, f func([]Array) Array, ps ...*P) P {
	fm := formOf[P](op)
	vals := make([][]core.Value, len(ps))
	var out []core.Value
	first, def := fm.Flatten(ps[0])
	vals[0] = first
	for i, p := range ps[1:] {
		fm.RequireSame(op, "the trees", ps[0], p)
		vals[i+1], _ = fm.Flatten(p)
	}
	for k := range first {
		args := make([]Array, len(ps))
		skip := false
		for i := range ps {
			if vals[i][k] == nil {
				core.FailOp(core.ErrTree, op, nil, "leaf %q of tree %d contains no array (was a field not set?); set it", fm.Path(ps[i], k), i)
			}
			args[i] = FromValue(vals[i][k])
			skip = skip || vals[i][k].Aval().DType == core.Float0
		}
		if skip {
			out = append(out, first[k])
			continue
		}
		y := f(args)
		if y.IsZero() {
			core.FailOp(core.ErrTree, op, nil, "the function returned no array at %q; return one", fm.Path(ps[0], k))
		}
		out = append(out, y.Value())
	}
	return together[P](def, out)
}

// TreeLeaves ranges over the arrays of p and their paths: .Layers[2].W, ["k"].
func TreeLeaves[P any](p P) iter.Seq2[string, Array] {
	fm := formOf[P]("TreeLeaves")
	return func(yield func(string, Array) bool) {
		vals, _ := fm.Flatten(&p)
		for i, path := range fm.Paths(&p) {
			if !yield(path, FromValue(vals[i])) {
				return
			}
		}
	}
}

// TreeStack joins trees of one structure: each array is stacked along a new first
// axis.
func TreeStack[P any](ps ...P) P {
	if len(ps) == 0 {
		core.FailOp(core.ErrTree, "TreeStack", nil, "no trees; pass at least one")
	}
	fm := formOf[P]("TreeStack")
	vals, def := fm.Values("TreeStack", &ps[0])
	columns := make([][]Array, len(vals))
	for i := range ps {
		fm.RequireSame("TreeStack", "the trees", &ps[0], &ps[i])
		vs, _ := fm.Values("TreeStack", &ps[i])
		for k, v := range vs {
			columns[k] = append(columns[k], FromValue(v))
		}
	}
	for k, c := range columns {
		for i, x := range c {
			if a, b := c[0].aval(), x.aval(); a.Shape != b.Shape {
				core.FailOp(core.ErrShape, "TreeStack", []core.ShapedArray{a, b}, "tree 0 has %v and tree %d has %v%s; give all one shape", a.Full(), i, b.Full(), leaves.AtPath(fm.Path(&ps[0], k)))
			}
		}
		vals[k] = nd.StackNamed("TreeStack", 0, values(c))
	}
	return together[P](def, vals)
}

// TreeIndex returns p with every array indexed.
func TreeIndex[P any](p P, idx ...any) P {
	fm := formOf[P]("TreeIndex")
	vals, def := fm.Values("TreeIndex", &p)
	for i, v := range vals {
		if a := v.Aval(); a.DType == core.Float0 { // has no elements: only its shape is indexed
			shape := ZerosOf(core.Bool, a.Shape.Ints()...).Index(idx...).Shape()
			vals[i] = ZerosOf(core.Float0, shape...).Value()
			continue
		}
		vals[i] = FromValue(v).Index(idx...).Value()
	}
	return together[P](def, vals)
}

// Ravel joins all arrays of p into one with one axis, in their common type. It also returns the
// function that rebuilds a tree of p's form from such an array. Leaves of the type float0 have no
// elements: they add none, and are kept.
func Ravel[P any](p P) (Array, func(Array) P) {
	fm := formOf[P]("Ravel")
	vals, def := fm.Values("Ravel", &p)
	whole := vals
	vals = slices.DeleteFunc(slices.Clone(vals), func(v core.Value) bool { return v.Aval().DType == core.Float0 })
	avals := core.AvalsOf(vals)
	for i, v := range whole {
		if a := v.Aval(); a.DType.IsKey() {
			core.FailOp(core.ErrDType, "Ravel", []core.ShapedArray{a}, "the leaf%s is %s: keys of random numbers have no place among numbers; leave them out with tree.Partition", leaves.AtPath(fm.Path(&p, i)), core.WithArticle(a.Full()))
		}
	}
	// rebuild returns the tree of the parts, with its float0 leaves between them.
	rebuild := func(parts []core.Value) P {
		out := slices.Clone(whole)
		for i, v := range whole {
			if v.Aval().DType != core.Float0 {
				out[i], parts = parts[0], parts[1:]
			}
		}
		return together[P](def, out)
	}
	if len(vals) == 0 {
		return Zeros(0), func(Array) P { return rebuild(nil) }
	}
	dt, _ := nd.PromoteTypes("Ravel", vals...)
	parts := make([]core.Value, len(vals))
	total := 0
	for i, v := range vals {
		n := avals[i].Size()
		parts[i] = prim.Reshape(nd.Convert("Ravel", v, dt, false), core.MakeDims(n))
		total += n
	}
	flat := parts[0]
	if len(parts) > 1 {
		flat = prim.Concatenate(0, parts...)
	}
	return FromValue(flat), func(x Array) P {
		v := nd.ValueOf("Ravel", x)
		if a := v.Aval(); a.Rank() != 1 || a.Size() != total {
			core.FailOp(core.ErrShape, "Ravel", []core.ShapedArray{a}, "the tree has %s; it is not made of %v: pass an array of %s", core.Count(total, "element"), a.Full(), core.Count(total, "element"))
		}
		out := make([]core.Value, len(avals))
		at := 0
		for i, a := range avals {
			n := a.Size()
			part := v
			if len(avals) > 1 {
				part = prim.SliceAxis(v, 0, at, at+n, 1)
			}
			at += n
			// The leaf gets its own type back, unless x has another type than Ravel returned.
			part = prim.Reshape(part, a.Shape)
			if v.Aval().DType == dt {
				part = nd.ConvertTo(part, a.DType)
			}
			out[i] = part
		}
		return rebuild(out)
	}
}
