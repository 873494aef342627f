package mesh

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// Put cuts the arrays of x into pieces on the devices of a mesh. specs describes how, as In does
// for an argument. A process of a job keeps the pieces of its own devices. Arrays whose spec names
// no axis stay whole: every process has all of their elements.
//
// ShardMap takes an array that is cut as its spec says without moving anything, and then its
// results are cut, too. Elementwise operations run where the pieces lie, if operands are cut alike
// or whole, and so do calls and control flow made of them. Other operations, and looking at
// elements, are errors. Printing shows the pieces that are here.
//
// An array that is cut already is cut anew. In a job this communicates, so all processes do it.
//
// On a mesh with devices ([Mesh.On]) the pieces lie there, and all operations take the array.
func Put[T any](m Mesh, specs any, x T) T {
	const op = "mesh.Put"
	checkSpecs(op, specs, 0)
	form := leaves.Of[T](op, weft.FromValue)
	vals, def := form.Values(op, &x)
	defer leaves.NameOp(op)
	for i, s := range form.Prefix(&x, specs, isSpec) {
		if p, ok := vals[i].(*transforms.Placed); ok {
			vals[i] = p.Whole()
		}
		path := form.Path(&x, i)
		requireKnown(op, path, vals[i])
		s.(Spec).requireFits(m, path, vals[i].Aval())
		if m.on != nil {
			vals[i] = m.put(op, s.(Spec), vals[i])
			continue
		}
		vals[i] = transforms.Place(m.ir, s.(Spec).ir, vals[i], text)
	}
	return leaves.Together[T](def, vals, weft.FromValue)
}

// Gather returns x with arrays that are whole in every process. In a job it communicates, so all
// processes call it. Arrays that are whole stay as they are.
func Gather[T any](x T) T {
	const op = "mesh.Gather"
	form := leaves.Of[T](op, weft.FromValue)
	vals, def := form.Values(op, &x)
	defer leaves.NameOp(op)
	for i, v := range vals {
		if p, ok := v.(*transforms.Placed); ok {
			requireOutside(op)
			vals[i] = p.Whole()
			continue
		}
		requireKnown(op, form.Path(&x, i), v)
		vals[i] = gathered(v)
	}
	return leaves.Together[T](def, vals, weft.FromValue)
}

// requireOutside refuses, in a job, to gather within a function over a mesh: there processes communicate only by
// collectives.
func requireOutside(op string) {
	if _, size := jobSize(); size == 1 {
		return
	}
	for i := range core.Active() {
		if _, within := i.(*core.Region); within {
			core.FailOp(core.ErrConcrete, op, nil, "a function over a mesh cannot gather an array that it closes over; gather it before, and pass it as an argument")
		}
	}
}

// requireKnown refuses an array that is traced.
func requireKnown(op, path string, v core.Value) {
	if _, ok := v.(core.Tracer); ok {
		core.FailOp(core.ErrConcrete, op, []core.ShapedArray{v.Aval()}, "the array%s is traced, so it lies nowhere yet; do this outside of transformations, and use ShardMap within", leaves.AtPath(path))
	}
}

func isSpec(s any) bool { _, ok := s.(Spec); return ok }

// maxShown bounds the pieces that a text shows.
const maxShown = 16

// text returns the type of an array, how it is cut, and the pieces that are here.
func text(x *transforms.Placed) string {
	var b strings.Builder
	b.WriteString(x.Describe())
	var order []string
	devices, pieces := map[string][]string{}, map[string]weft.Array{}
	if a, ok := x.Pieces.(*runtime.Array); ok {
		host, err := runtime.Place(context.Background(), runtime.Reference, a)
		if err != nil {
			return fmt.Sprintf("%s\nUnreadable(%v)", x.Describe(), err)
		}
		y := *x
		x, y.Pieces = &y, host
	}
	for s := range placedShards(x) {
		at := make([]string, len(s.Start))
		for i, lo := range s.Start {
			at[i] = fmt.Sprintf("%d:%d", lo, lo+s.Piece.Dim(i))
		}
		key := strings.Join(at, ", ")
		if _, ok := pieces[key]; !ok {
			order, pieces[key] = append(order, key), s.Piece
		}
		devices[key] = append(devices[key], fmt.Sprint(s.Device))
	}
	for _, key := range order[:min(len(order), maxShown)] {
		what := "device"
		if len(devices[key]) > 1 {
			what = "devices"
		}
		fmt.Fprintf(&b, "\n[%s] on %s %s:\n%v", key, what, strings.Join(devices[key], ", "), pieces[key])
	}
	if n := len(order) - maxShown; n > 0 {
		fmt.Fprintf(&b, "\nand %s", core.Count(n, "more piece"))
	}
	return b.String()
}

// placedShards ranges over the devices whose pieces are here.
func placedShards(x *transforms.Placed) func(yield func(Shard) bool) {
	m, spec := Mesh{ir: x.Mesh}, Spec{x.Spec}
	here := m.among(x.Parts)
	piece := x.Spec.Piece(x.Mesh, "the array", x.Aval())
	return func(yield func(Shard) bool) {
		first := map[string]int{} // the coordinates of this process's first device
		for d := range m.Devices() {
			if !here(d) {
				continue
			}
			at := m.coordinates(d)
			var index []int
			for _, name := range m.names() {
				lo, seen := first[name]
				if !seen {
					lo, first[name] = at[name], at[name]
				}
				if slices.Contains(x.Spec.Names(), name) {
					index = append(index, at[name]-lo)
				}
			}
			if !yield(Shard{Device: d, Start: starts(m, spec, piece, d), Piece: pieceAt(x.Pieces, index, piece)}) {
				return
			}
		}
	}
}

// pieceAt returns the piece at an index of the leading axes. Of an array in host memory it copies the
// elements: printing shows them within traces too, and where operations are refused, as when a context has ended.
func pieceAt(pieces core.Value, index []int, piece core.ShapedArray) weft.Array {
	a, ok := pieces.(*runtime.Array)
	if !ok || a.Buffer() != nil {
		all := make([]any, len(index))
		for i, k := range index {
			all[i] = k
		}
		return weft.FromValue(pieces).Index(all...)
	}
	k := 0
	for i, n := range a.Aval().Shape.Ints()[:len(index)] {
		k = k*n + index[i]
	}
	x := runtime.New(piece)
	n := piece.Size() * piece.DType.Size()
	copy(x.Tensor().Data, a.Tensor().Data[k*n:])
	return weft.FromValue(x)
}
