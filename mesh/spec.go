package mesh

import (
	"fmt"
	"reflect"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
)

// Spec describes how an array is cut into the devices' pieces. The zero Spec gives every device a
// copy.
type Spec struct{ ir jaxpr.Spec }

// P returns a spec with one entry for each axis of the array: the name of the axis of the mesh
// that it is cut along; a []string of several, the slowest first; or nil for an axis that is
// whole. Axes of the array after the last entry are whole, so that P() is a copy on each device.
func P(entries ...any) Spec {
	var s Spec
	for i, e := range entries {
		switch e := e.(type) {
		case nil:
			s.ir = append(s.ir, nil)
		case string:
			s.ir = append(s.ir, []string{e})
		case []string:
			s.ir = append(s.ir, append([]string(nil), e...))
		default:
			core.FailOp(core.ErrAxis, "mesh.P", nil, "entry %d is %s; write the name of an axis of the mesh, a []string of names, or nil", i, core.WithArticle(reflect.TypeOf(e)))
		}
	}
	return s
}

// String returns the spec as programs print it: P('data', None).
func (s Spec) String() string { return s.ir.String() }

// An Option changes what ShardMap does.
type Option interface{ shardMap(*options) }

type option func(*options)

func (f option) shardMap(o *options) { f(o) }

type options struct {
	in, out   []any
	unchecked bool
}

// In sets how each argument is cut: by one Spec for all arrays of the argument, or by a tree of
// specs. Such a tree is a weft.Axes for the fields of a struct or the keys of a map, or a []any
// for the elements of a slice.
func In(specs ...any) Option { return option(func(o *options) { o.in = specs }) }

// Out sets how each result is joined, as In does for arguments. Along an axis of the mesh that a
// spec does not name, the result must be the same on all devices, as results of Psum are.
func Out(specs ...any) Option { return option(func(o *options) { o.out = specs }) }

// Unchecked lets a result count as the same on all devices although it may differ: the first
// device's is returned. Derivatives follow the rules that JAX has with check_vma=False.
func Unchecked() Option { return option(func(o *options) { o.unchecked = true }) }

// maxDepth bounds the depth of trees of specs, which could contain themselves.
const maxDepth = 1000

func checkSpecs(op string, spec any, depth int) {
	if depth > maxDepth {
		core.FailOp(core.ErrAxis, op, nil, "the specs contain themselves, or are nested more than %d deep; give one spec an argument", maxDepth)
	}
	switch s := spec.(type) {
	case Spec:
	case weft.Axes:
		for _, x := range s {
			checkSpecs(op, x, depth+1)
		}
	case []any:
		for _, x := range s {
			checkSpecs(op, x, depth+1)
		}
	default:
		core.FailOp(core.ErrAxis, op, nil, "a spec cannot be %s; write mesh.P(…), or weft.Axes for the parts of a tree", core.WithArticle(reflect.TypeOf(spec)))
	}
}

// prefix expands a tree of specs to the leaves of a value.
func prefix(op string, p *tree.Plan[weft.Array], at reflect.Value, spec any) []jaxpr.Spec {
	defer leaves.NameOp(op)
	var out []jaxpr.Spec
	for _, s := range p.Prefix(at.UnsafePointer(), spec, func(s any) bool { _, ok := s.(Spec); return ok }) {
		out = append(out, s.(Spec).ir)
	}
	return out
}

// describe returns the name of a leaf in messages: argument 1.Weights[0].
func describe(role string, i int, path string) string { return fmt.Sprintf("%s %d%s", role, i, path) }

// requireFits fails if the array at a path cannot be cut as the spec says.
func (s Spec) requireFits(m Mesh, path string, a core.ShapedArray) {
	s.ir.Piece(m.ir, "the array"+leaves.AtPath(path), a)
}
