package runtime

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// donatingCompiler donates an array while it compiles, as another goroutine may, and counts the bytes of
// it that can be read then.
type donatingCompiler struct {
	referenceExecutor
	x    *Array
	left int
}

func (*donatingCompiler) Name() string { return "donating compiler" }

func (c *donatingCompiler) Compile(r *Request) (Executable, error) {
	c.x.hold()
	d := donate([]bool{true}, []*Array{c.x})
	d.commit(nil, nil)
	c.x.drop()
	c.left = len(c.x.t.Data)
	return c.referenceExecutor.Compile(r)
}

// capturing returns a program that adds a captured array.
func capturing(x *Array) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	in := b.Input(x.Aval())
	return b.Build(b.Eqn(prim.AddP{}, in, b.Const(x))[0])
}

// What programs captured is listed where they contain each other, share programs, and were listed before:
// 60 programs of which each contains the next twice contain the last one 2⁵⁹ times.
func TestCapturedWithin(t *testing.T) {
	x := New(core.Aval(core.Float32, 100))
	within := func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		in := b.Input(x.Aval())
		first := b.Eqn(&jaxpr.Jit{Jaxpr: j}, in)[0]
		return b.Build(b.Eqn(&jaxpr.Jit{Jaxpr: j}, first)[0])
	}
	b := jaxpr.NewBuilder()
	none := b.Build(b.Eqn(prim.NegP{}, b.Input(x.Aval()))[0])
	for name, c := range map[string]struct {
		j    *jaxpr.Jaxpr
		want int
	}{"an array": {capturing(x), 1}, "nothing": {none, 0}} {
		j := c.j
		for range 60 {
			j = within(j)
		}
		for range 2 { // the second contains one that was listed
			if got := constsOf(j); len(got) != c.want || c.want == 1 && got[0] != x {
				t.Errorf("%s: got %d arrays, want %d", name, len(got), c.want)
			}
			if _, ok := j.Memoized(capturesNothing{}); ok != (c.want == 0) {
				t.Errorf("%s: the next list looks into the program again: %t, want %t", name, !ok, c.want > 0)
			}
			j = within(j)
		}
	}
}

// An executor can read captured arrays while it compiles, also of an array that is donated meanwhile.
func TestCapturedArrayDuringCompilation(t *testing.T) {
	c := &donatingCompiler{x: New(core.Aval(core.Float32, 100))}
	p, err := Compile(c, &Request{Jaxpr: capturing(c.x)})
	if err != nil {
		t.Fatal(err)
	}
	if c.left != 400 {
		t.Errorf("the compiler can read %d bytes, want 400", c.left)
	}
	if _, err := p.Run(context.Background(), []*Array{New(core.Aval(core.Float32, 100))}); !errors.Is(err, core.ErrDevice) {
		t.Errorf("a run after the donation: got error %v, want %v", err, core.ErrDevice)
	}
	if c.x.t.Data != nil {
		t.Error("the memory of the donated array is not released")
	}
}

// A program that captured a donated array is not compiled.
func TestCapturedDeadArray(t *testing.T) {
	c := &donatingCompiler{x: New(core.Aval(core.Float32, 100))}
	j := capturing(c.x)
	if _, err := c.Compile(&Request{Jaxpr: j}); err != nil {
		t.Fatal(err)
	}
	_, err := Compile(&slowCompiler{}, &Request{Jaxpr: j})
	if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "captured was donated") {
		t.Errorf("got error %v, want one that states the donation", err)
	}
}
