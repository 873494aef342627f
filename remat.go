package weft

import (
	"reflect"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// A RematOption changes what Remat keeps.
type RematOption func(*jaxpr.Remat)

// Saving makes Remat keep what a policy says.
func Saving(p SavePolicy) RematOption { return func(r *jaxpr.Remat) { r.Policy = p } }

// AllowCSE lets compilers merge what is computed twice with what was computed
// before. Within Scan, where nothing could be merged, it costs nothing and
// compiles better.
func AllowCSE() RematOption { return func(r *jaxpr.Remat) { r.PreventCSE = false } }

// Remat returns f whose intermediate values are not kept for its derivative in reverse
// but computed again when that needs them: memory for time. f keeps its type.
func Remat[F any](f F, opts ...RematOption) F {
	s := signatureOf("Remat", f)
	s.refusePointers()
	return reflect.MakeFunc(s.fn.Type(), func(args []reflect.Value) []reflect.Value {
		return s.guarded(func() []reflect.Value { return s.remat(f, args, opts) })
	}).Interface().(F)
}

func (s *signature) remat(f any, args []reflect.Value, opts []RematOption) []reflect.Value {
	a := s.apart(args)
	var defs []defOf
	var counts []int
	var err error
	j := trace.Stage(leaves.FuncName(f), core.AvalsOf(a.leaves), func(in []core.Value) (outs []core.Value) {
		outs, defs, counts, err = s.call(a, in)
		return outs
	})
	if err != nil {
		return s.results(nil, nil, nil, err)
	}
	closed := trace.HoistAll(j)
	r := &jaxpr.Remat{Jaxpr: trace.Share(f, j), PreventCSE: true}
	for _, opt := range opts {
		opt(r)
	}
	outs := core.Bind(r, append(closed, a.leaves...)...)
	return s.results(outs, defs, counts, nil)
}

// SavePolicy says which intermediate values Remat keeps.
type SavePolicy struct {
	kind  savedKind
	names string // sorted, with commas
}

type savedKind uint8

const (
	saveNothing savedKind = iota
	saveEverything
	saveDots
	saveDotsWithoutBatch
	saveNames
	saveAllButNames
)

// The policies without names.
var (
	SaveNothing          = SavePolicy{kind: saveNothing}
	SaveEverything       = SavePolicy{kind: saveEverything}
	SaveDots             = SavePolicy{kind: saveDots}             // products of matrices
	SaveDotsWithoutBatch = SavePolicy{kind: saveDotsWithoutBatch} // products without batch axes
)

// SaveNames keeps the values that [Named] gave one of the names.
func SaveNames(names ...string) SavePolicy { return SavePolicy{saveNames, joinNames(names)} }

// SaveAllButNames keeps what Named gave no name among the names.
func SaveAllButNames(names ...string) SavePolicy {
	return SavePolicy{saveAllButNames, joinNames(names)}
}

func joinNames(names []string) string {
	names = slices.Clone(names)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// Named returns x under a name that policies of Remat know.
func Named(x Array, name string) Array {
	return FromValue(prim.Named(nd.ValueOf("Named", x), name))
}

// Saves reports whether the results of an equation are kept.
func (p SavePolicy) Saves(op core.Primitive, in []core.ShapedArray) bool {
	switch p.kind {
	case saveEverything:
		return true
	case saveDots, saveDotsWithoutBatch:
		d, ok := op.(prim.DotGeneralP)
		return ok && (p.kind == saveDots || d.LhsBatch.Len() == 0)
	case saveNames, saveAllButNames:
		n, ok := op.(prim.NameP)
		has := ok && slices.Contains(strings.Split(p.names, ","), n.Label)
		return has == (p.kind == saveNames)
	}
	return false
}

// String returns the policy's name in IR text.
func (p SavePolicy) String() string {
	names := "(" + strings.ReplaceAll(p.names, ",", ", ") + ")"
	switch p.kind {
	case saveEverything:
		return "everything_saveable"
	case saveDots:
		return "DotsSaveable(only_if_no_batch_dims=False)"
	case saveDotsWithoutBatch:
		return "DotsSaveable(only_if_no_batch_dims=True)"
	case saveNames:
		return "save_only_these_names" + names
	case saveAllButNames:
		return "save_anything_except_these_names" + names
	}
	return "nothing_saveable"
}

func init() {
	for _, p := range []SavePolicy{SaveNothing, SaveEverything, SaveDots, SaveDotsWithoutBatch} {
		jaxpr.RegisterPolicy(p)
	}
}
