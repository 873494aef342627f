package leaves

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// A site names a tree in messages.
type site struct {
	op    string
	role  string // "argument", "result" or "" where only the type of the tree is known
	index int    // of the argument or result
	of    string // " of f" for a result
	by    string // the function that returned the tree, such as "the body", or ""
}

func (s site) name(p reflect.Type) string {
	if s.role == "" {
		return core.WithArticle(p)
	}
	return fmt.Sprintf("%s %d%s", s.role, s.index, s.of)
}

// planOf returns the plan of a type. It fails, naming the operation, for a type that is no
// tree.
func planOf[L Leaf](op string, t reflect.Type) *tree.Plan[L] {
	p, err := tree.For[L](t)
	if err != nil {
		if e, ok := err.(*core.Error); ok {
			e.Op = op
		}
		panic(err)
	}
	return p
}

// appendSet appends the values of the leaves of the tree at v. It fails if one is not set.
func appendSet[L Leaf](to []core.Value, s site, p *tree.Plan[L], v unsafe.Pointer, ls []L) []core.Value {
	for i, x := range ls {
		if x.IsZero() {
			at := AtPath(p.Paths(v)[i])
			if s.by != "" {
				core.FailOp(core.ErrTree, s.op, nil, "%s returned the zero Array%s, which has no value; return an array", s.by, at)
			}
			verb := "is"
			if at != "" {
				verb = "has"
			}
			core.FailOp(core.ErrTree, s.op, nil, "%s %s%s the zero Array, which has no value; set it", s.name(p.Type()), verb, at)
		}
		to = append(to, x.Value())
	}
	return to
}

// requireFunc returns f, which must be a function and not nil.
func requireFunc[L Leaf](op string, f any) reflect.Value {
	v := reflect.ValueOf(f)
	if !v.IsValid() || v.Kind() != reflect.Func {
		got := "nil"
		if _, ok := f.(L); ok {
			got = "an " + reflect.TypeFor[L]().Name()
		} else if f != nil {
			got = core.WithArticle(reflect.TypeOf(f))
		}
		core.FailOp(core.ErrStatic, op, nil, "takes a function; this is %s: did you call it? Pass the function itself", got)
	}
	if v.IsNil() {
		core.FailOp(core.ErrTree, op, nil, "takes a function; this one is nil: pass one")
	}
	return v
}
