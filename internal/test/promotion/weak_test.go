package promotion_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// weakRecord is a program about weak types and what JAX wrote for it.
type weakRecord struct {
	Name, Group, Source, Args string
	Error, Msg                string
	Out                       []string   `json:"out_avals"`
	Eqns                      [][]string `json:"eqns"`
	X64                       bool
}

// Programs of the records that have no form in Go.
var noGoForm = map[string]string{}

// Functions of jax.numpy that Weft writes with other equations. The types of their
// results are the same.
var otherEquations = map[string]string{
	"where_weak_strong":  "a constant is converted before it is written",
	"stack_lits":         "Stack is a concatenation",
	"array_of_weak":      "stacked first, made strong then",
	"array_of_lits":      "the same",
	"index_traced_weak":  "an index is brought into range and then made i32",
	"gather_weak_idx":    "the same",
	"at_set_on_weak":     "what is written is made weak, not the array strong and weak again",
	"any_weak":           "a number is true if it is not 0",
	"matmul_weak_bf16":   "operands are promoted to one type",
	"linspace_weak_ends": "the distance of the ends, which decides nothing, is not written",
	"hessian_weak":       "derivatives simplify in another order",
}

// written lists a program's equations as the records do: the primitive and the
// types of its results, programs within it between braces.
func written(j *jaxpr.Jaxpr) (lines []string) {
	line := func(word string, avals []core.ShapedArray) string {
		for _, a := range avals {
			word += " " + a.Full()
		}
		return word
	}
	for _, e := range j.Eqns {
		var outs []core.ShapedArray
		for _, v := range e.Outs {
			outs = append(outs, v.Type)
		}
		lines = append(lines, line(e.Prim.Name(), outs))
		within := jaxpr.Programs(e.Prim)
		if _, ok := e.Prim.(*jaxpr.While); ok {
			slices.Reverse(within) // the condition first
		}
		for _, p := range within {
			lines = append(lines, line("{", p.InAvals()))
			lines = append(lines, written(p)...)
			lines = append(lines, line("}", p.OutAvals()))
		}
	}
	return lines
}

// equations returns those of a record. Functions of jax.numpy are flat here: the calls
// of library functions that JAX writes are not.
func (r *weakRecord) equations() (lines []string) {
	var calls []bool // which of the open braces are of library calls
	for i, e := range r.Eqns {
		library := r.Group != "jit" && e[0] == "jit"
		switch e[0] {
		case "jit":
			if library {
				continue
			}
		case "{":
			calls = append(calls, r.Group != "jit" && r.Eqns[i-1][0] == "jit")
			if calls[len(calls)-1] {
				continue
			}
		case "}":
			last := calls[len(calls)-1]
			calls = calls[:len(calls)-1]
			if last {
				continue
			}
		}
		lines = append(lines, strings.Join(e, " "))
	}
	return lines
}

// args returns arguments of the record's program: arrays full of v.
func (r *weakRecord) args(t *testing.T, v float64) (xs list) {
	for _, s := range strings.Split(r.Args, ", ") {
		if s == "" {
			continue
		}
		a := golden.Aval(t, s)
		x := runtime.New(a)
		for i, w := 0, a.DType.Size(); i < a.Size(); i++ {
			elem.Put(x.Tensor().Data[i*w:], elem.Round(core.FloatNumber(v), a.DType), a.DType)
		}
		xs = append(xs, weft.FromValue(x))
	}
	return xs
}

func fulls(xs list) (types []string) {
	for _, x := range xs {
		types = append(types, arraycheck.TypeText(x))
	}
	return types
}

// stage returns the program that f writes.
func stage(f func(list) list, in []core.ShapedArray) *jaxpr.Jaxpr {
	return trace.Stage("f", in, func(vs []core.Value) []core.Value {
		xs := make(list, len(vs))
		for i, v := range vs {
			xs[i] = weft.FromValue(v)
		}
		var outs []core.Value
		for _, y := range f(xs) {
			outs = append(outs, y.Value())
		}
		return outs
	})
}

// Programs about weak types have JAX's types in every equation, and the same types when
// they run, at once and in Jit, regardless of the values.
func TestWeakPrograms(t *testing.T) {
	statement.Shows(t, "P-15", "under JAX the value of a constant never decides a type, in and out of jit")
	statement.Shows(t, "P-31", "u64 with i64 is an array of weak float that yields to other floats")
	statement.Shows(t, "P-38", "a Python scalar and a weak array promote alike, and weakness propagates")
	statement.Shows(t, "P-40", "weak arrays print as weak; strict promotion refuses what is not a scalar of the same or a lower kind")
	records, whole := golden.Records[weakRecord](t, "jax/weak.jsonl")
	used, flat := map[string]bool{}, 0
	for _, r := range records {
		used[r.Name] = true
		f := weakPrograms[r.Name]
		if f == nil {
			if noGoForm[r.Name] == "" {
				t.Errorf("%s has no form in Go: %s", r.Name, r.Source)
			}
			continue
		}
		bits := 32
		if r.X64 {
			bits = 64
		}
		weft.With(weft.DefaultBits(bits), func() {
			var in []core.ShapedArray
			for _, x := range r.args(t, 0) {
				in = append(in, x.Value().Aval())
			}
			var j *jaxpr.Jaxpr
			err := core.Catch(func() { j = stage(f, in) })
			if (err != nil) != (r.Error != "") {
				t.Errorf("%s: %v, JAX: %s %s", r.Name, err, r.Error, r.Msg)
			}
			if r.Error != "" || err != nil {
				return
			}
			if err := jaxpr.Check(j); err != nil {
				t.Errorf("%s: %v\n%v", r.Name, err, j)
			}
			var outs []string
			for _, a := range j.OutAvals() {
				outs = append(outs, a.Full())
			}
			if !slices.Equal(outs, r.Out) {
				t.Errorf("%s: results %v, want %v", r.Name, outs, r.Out)
			}
			if got, want := written(j), r.equations(); otherEquations[r.Name] == "" && !slices.Equal(got, want) {
				t.Errorf("%s: equations\n  got  %s\n  want %s", r.Name, strings.Join(got, "; "), strings.Join(want, "; "))
			} else if otherEquations[r.Name] != "" && slices.Equal(got, want) {
				t.Errorf("%s has JAX's equations after all", r.Name)
			}
			flat++
			for _, v := range []float64{2, 3} {
				for name, g := range map[string]func(list) list{"at once": f, "in Jit": weft.Jit(f)} {
					ys := g(r.args(t, v))
					if got := fulls(ys); !slices.Equal(got, r.Out) {
						t.Errorf("%s of %v %s: %v, want %v", r.Name, v, name, got, r.Out)
					}
				}
			}
		})
	}
	if whole {
		for name := range weakPrograms {
			if !used[name] {
				t.Errorf("%s is no record", name)
			}
		}
		for name := range noGoForm {
			if weakPrograms[name] != nil {
				t.Errorf("%s has a form in Go", name)
			}
		}
	}
	t.Logf("%d programs compared equation by equation, %d by their results alone, %d without a form in Go", flat-len(otherEquations), len(otherEquations), len(noGoForm))
}
