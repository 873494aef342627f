package trace_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// repeated stages a loop of four steps over f, which stands for itself.
func repeated(f func(val) val, x val) val {
	c, _ := trace.Scan(func(c, _ []val) ([]val, []val) { return []val{f(c[0])}, nil }, []val{x}, nil, trace.ScanConfig{Length: 4, Of: f})
	return c[0]
}

// One function value that writes the same program twice gives one program. Two values give two,
// whatever they write, and so does one value that writes two different programs.
func TestSharing(t *testing.T) {
	vec := core.Aval(core.Float32, 3)
	k, l := runtime.New(vec), runtime.New(vec)
	for _, c := range []struct {
		name   string
		shared int // uses of the name of a shared program
		f      func(x val) val
	}{
		{"one value", 2, func(x val) val {
			f := func(c val) val { return prim.Sin(c) }
			return repeated(f, repeated(f, x))
		}},
		{"two values", 0, func(x val) val {
			return repeated(func(c val) val { return prim.Sin(c) }, repeated(func(c val) val { return prim.Sin(c) }, x))
		}},
		{"closures of one literal", 0, func(x val) val {
			by := func(k val) func(val) val { return func(c val) val { return prim.Mul(c, k) } }
			return repeated(by(litF(2)), repeated(by(litF(2)), x))
		}},
		{"a captured variable that changes", 0, func(x val) val {
			n := litF(2)
			f := func(c val) val { return prim.Mul(c, n) }
			x = repeated(f, x)
			n = litF(3)
			return repeated(f, x)
		}},
		{"other operands", 2, func(x val) val {
			var by val = k
			f := func(c val) val { return prim.Mul(c, by) }
			x = repeated(f, x)
			by = l // an operand of the loop: its program stays the same
			return repeated(f, x)
		}},
		{"within a loop and outside", 2, func(x val) val {
			f := func(c val) val { return prim.Sin(c) }
			return repeated(func(c val) val { return repeated(f, c) }, repeated(f, x))
		}},
	} {
		j := stage(c.f, vec)
		if n := strings.Count(j.String(), "jaxpr=jaxpr"); n != c.shared {
			t.Errorf("%s: %d uses of a shared program, want %d:\n%s", c.name, n, c.shared, j)
		}
	}
}

// A weak carry of a loop keeps its mark where the body's result differs in the mark alone. Where
// the result has another dtype, of the same kind or a wider one, the carry takes it.
func TestWeakCarries(t *testing.T) {
	carry := func(init val, step func(c, x val) val, of core.DType) (string, error) {
		var got string
		err := core.Catch(func() {
			j := stage(func(xs val) val {
				c, _ := trace.Scan(func(c, x []val) ([]val, []val) { return []val{step(c[0], x[0])}, nil }, []val{init}, []val{xs}, trace.ScanConfig{Length: -1})
				return c[0]
			}, core.Aval(of, 5))
			got = j.String()
		})
		return got, err
	}
	weak := func(n core.Number, dt core.DType) val { return core.Literal{Num: n, Type: dt, Weak: true} }
	text, err := carry(weak(core.IntNumber(0), core.Int32), func(c, x val) val {
		if c.Aval().DType != x.Aval().DType {
			return x
		}
		return prim.Add(c, x)
	}, core.Float32)
	if err != nil || !strings.Contains(text, "] 0.0:f32[] a") {
		t.Errorf("a weak integer must become the body's float: %v\n%s", err, text)
	}
	if _, err := carry(weak(core.FloatNumber(0.5), core.Float32), func(c, x val) val { return x }, core.Int32); err == nil {
		t.Error("a weak float must not become an integer")
	}
	if _, err := carry(core.Lit(core.IntNumber(0), core.Int32), func(c, x val) val { return x }, core.Float32); err == nil {
		t.Error("a strong carry must keep its type")
	}
}
