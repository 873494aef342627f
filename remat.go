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

// A RematOption changes how [Remat] works.
type RematOption interface{ remat(*rematOptions) }

type rematOptions struct {
	policy    SavePolicy
	hasPolicy bool
	allowCSE  bool
}

type rematOption func(*rematOptions)

func (f rematOption) remat(o *rematOptions) { f(o) }

// Saving makes Remat keep the values that a policy selects.
func Saving(p SavePolicy) RematOption {
	return rematOption(func(o *rematOptions) { o.policy, o.hasPolicy = p, true })
}

// AllowCSE lets compilers merge recomputed values with the original ones. Within Scan, where
// there is nothing to merge, it costs nothing and compiles better.
func AllowCSE() RematOption { return rematOption(func(o *rematOptions) { o.allowCSE = true }) }

// Remat returns a function of f's type that computes f. Its intermediate values are not kept for
// the derivative in reverse mode, but recomputed when they are needed: this trades time for
// memory.
func Remat[F any](f F, opts ...RematOption) F {
	var o rematOptions
	for _, opt := range opts {
		requireOption("Remat", opt == nil)
		opt.remat(&o)
	}
	s := funcOf("Remat", f)
	return reflect.MakeFunc(s.Fn.Type(), func(args []reflect.Value) []reflect.Value {
		return s.Guard(func() []reflect.Value { return remat(f, s, args, o) })
	}).Interface().(F)
}

// remat calls f, which s adapts, as one equation.
func remat(f any, s *leaves.Func[Array], args []reflect.Value, o rematOptions) []reflect.Value {
	a := s.Flatten(args)
	var res leaves.Results[Array]
	var err error
	j := trace.Stage(leaves.FuncName(f), core.AvalsOf(a.Leaves), func(in []core.Value) []core.Value {
		_, res, err = s.Call(a, s.Defs(a), in)
		return res.Leaves
	})
	if err != nil {
		return s.Fail(err)
	}
	closed := trace.HoistAll(j)
	r := &jaxpr.Remat{Jaxpr: trace.Share(f, j), PreventCSE: !o.allowCSE}
	if o.hasPolicy {
		r.Policy = o.policy.policy
	}
	return s.RebuildValues(res, core.Bind(r, append(closed, a.Leaves...)...))
}

// SavePolicy selects the intermediate values that Remat keeps.
type SavePolicy struct{ policy savePolicy }

// savePolicy is a policy as programs contain it.
type savePolicy struct {
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
	SaveNothing          = SavePolicy{savePolicy{kind: saveNothing}}
	SaveEverything       = SavePolicy{savePolicy{kind: saveEverything}}
	SaveDots             = SavePolicy{savePolicy{kind: saveDots}}             // products of matrices
	SaveDotsWithoutBatch = SavePolicy{savePolicy{kind: saveDotsWithoutBatch}} // products without batch axes
)

// SaveNames keeps the values that [CheckpointName] gave one of the names.
func SaveNames(names ...string) SavePolicy {
	return SavePolicy{savePolicy{saveNames, joinNames("SaveNames", names)}}
}

// SaveAllButNames keeps all values but those that [CheckpointName] gave one of the names.
func SaveAllButNames(names ...string) SavePolicy {
	return SavePolicy{savePolicy{saveAllButNames, joinNames("SaveAllButNames", names)}}
}

func joinNames(op string, names []string) string {
	for _, name := range names {
		if name == "" || strings.Contains(name, ",") {
			core.FailOp(core.ErrStatic, op, nil, "the name %q is empty or has a comma, which separates names; choose another", name)
		}
	}
	names = slices.Clone(names)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// CheckpointName returns x under a name, by which policies of Remat select it.
func CheckpointName(x Array, name string) Array {
	return FromValue(prim.Named(nd.ValueOf("CheckpointName", x), name))
}

// Saves reports whether the results of an equation are kept.
func (p savePolicy) Saves(op core.Primitive, in []core.ShapedArray) bool {
	switch p.kind {
	case saveEverything:
		return true
	case saveDots, saveDotsWithoutBatch:
		d, ok := op.(prim.DotGeneralP)
		return ok && (p.kind == saveDots || d.LhsBatch.Len() == 0)
	case saveNames, saveAllButNames:
		n, ok := op.(prim.NameP)
		has := ok && n.Label != "" && slices.Contains(strings.Split(p.names, ","), n.Label)
		return has == (p.kind == saveNames)
	}
	return false
}

// String returns the policy's name in IR text.
func (p savePolicy) String() string {
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
		jaxpr.RegisterPolicy(p.policy)
	}
}
