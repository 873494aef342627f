package leaves

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/tree"
)

// Fit flattens q, which a rule returned, in the structure of p: it returns a value for every leaf
// of p, nil where q has none. A nil slice, map, pointer or interface gives nil for all leaves
// that p has in its place. Statics in what rules return are not compared. If q does not fit, wrong says
// where.
func (f Form[P, L]) Fit(p, q *P) (vals []core.Value, wrong string) {
	vals, _ = f.Flatten(q)
	if _, fixed := f.plan.Fixed(); fixed {
		return vals, ""
	}
	want, got := structureOf(f.plan.Walk(unsafe.Pointer(p))), structureOf(f.plan.Walk(unsafe.Pointer(q)))
	var out []core.Value
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(want) > 0 && len(got) > 0 && want[0] == got[0]:
			if want[0].Leaf {
				out, vals = append(out, vals[0]), vals[1:]
			}
			want, got = want[1:], got[1:]
		case len(got) > 0 && got[0].What == "nil":
			for len(want) > 0 && under(want[0].Path, got[0].Path) {
				if want[0].Leaf {
					out = append(out, nil)
				}
				want = want[1:]
			}
			got = got[1:]
		case len(want) > 0 && want[0].What == "nil":
			want = want[1:] // p has no leaf in this place; what q has here is compared next
		default:
			return nil, differ(want, got)
		}
	}
	return out, ""
}

// RequireAlike flattens x, the result of a function. x must have the structure of `like`, and leaves of the given types.
// In messages `what` stands for the function, and `name` for `like`.
func (f Form[P, L]) RequireAlike(op, what, name string, like *P, types []core.ShapedArray, x *P) []core.Value {
	out, wrong := f.Fit(like, x)
	if wrong != "" {
		core.FailOp(core.ErrCustomRule, op, nil, "what %s returns must have the structure of %s; %s", what, name, wrong)
	}
	for k, v := range out {
		if v == nil {
			core.FailOp(core.ErrCustomRule, op, nil, "what %s returns contains no array%s; set it", what, AtPath(f.Path(like, k)))
		}
		if a := v.Aval(); !a.SameType(types[k]) {
			core.FailOp(core.ErrCustomRule, op, []core.ShapedArray{types[k], a}, "%s returns %s where %s has %s%s; they must be of one type", what, a.Full(), name, types[k].Full(), AtPath(f.Path(like, k)))
		}
	}
	return out
}

// structureOf returns the items of a tree without its statics and its frozen marks.
func structureOf(items []tree.Item) []tree.Item {
	out := make([]tree.Item, 0, len(items))
	for _, it := range items {
		it.Frozen = false
		if it.Leaf || !strings.HasPrefix(it.What, "static") {
			out = append(out, it)
		}
	}
	return out
}

// under reports whether path is base or lies within it.
func under(path, base string) bool {
	rest, ok := strings.CutPrefix(path, base)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func differ(want, got []tree.Item) string {
	what := func(items []tree.Item) string {
		switch {
		case len(items) == 0:
			return "nothing"
		case items[0].Leaf:
			return "an array"
		}
		return items[0].What
	}
	path := ""
	switch {
	case len(want) > 0 && len(got) > 0 && want[0].Path != got[0].Path:
		return fmt.Sprintf("got %s at %q, want %s at %q", what(got), got[0].Path, what(want), want[0].Path)
	case len(want) > 0:
		path = want[0].Path
	case len(got) > 0:
		path = got[0].Path
	}
	if path == "" {
		return fmt.Sprintf("got %s, want %s", what(got), what(want))
	}
	return fmt.Sprintf("at %q got %s, want %s", path, what(got), what(want))
}

// AtPath names a leaf in a message; it returns "" for a tree that is a single leaf.
func AtPath(path string) string {
	if path == "" {
		return ""
	}
	return fmt.Sprintf(" at %q", path)
}
