//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fakepjrt"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// A device describes its memory if the plugin reports it with its limit.
func TestMemoryReported(t *testing.T) {
	f := fakepjrt.New()
	p, err := plugin(f, "")
	if err != nil {
		t.Fatal(err)
	}
	d := p.devices[0]
	if s := d.Description(); strings.Contains(s, "MB") {
		t.Errorf("without a limit: got %q", s)
	}
	for known, want := range map[uintptr]string{0: "3 of 9 MB in use, 3 at most", 1: "3 of 9 MB in use, 5 at most"} {
		f.Break(fakepjrt.Faults{Spoil: func(function string, w *[24]uintptr) {
			if function == "Device_MemoryStats" { // in use; their peak; two others; the limit
				w[3], w[4], w[5], w[10], w[11] = 3<<20, 5<<20, known, 9<<20, 1
			}
		}})
		if s := d.Description(); !strings.Contains(s, want) {
			t.Errorf("got %q, want %q in it", s, want)
		}
	}
}

// The plugin's compiler is told which arguments are donated, of one device as of several.
func TestDonatedArguments(t *testing.T) {
	p, err := plugin(fakepjrt.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.devices[0].group([]runtime.Executor{p.devices[0], p.devices[1]})
	if err != nil {
		t.Fatal(err)
	}
	b := jaxpr.NewBuilder()
	x, y := b.Input(core.Aval(core.Float32, 4)), b.Input(core.Aval(core.Float32, 4))
	r := &runtime.Request{Jaxpr: b.Build(b.Eqn(prim.AddP{}, x, y)[0]), Donated: []bool{false, true}}
	one, err := p.devices[0].write(r, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	two, err := (&divided{g: g, r: r}).write([]*layout{g.whole(), g.whole()}, []*layout{nil})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{one.text: "tf.aliasing_output = 0 : i32", two.text: "jax.buffer_donor = true"} {
		first, second, _ := strings.Cut(text, "%arg1:")
		if strings.Contains(first, want) || !strings.Contains(strings.SplitN(second, "\n", 2)[0], want) {
			t.Errorf("the second argument has not %s alone:\n%s", want, text)
		}
	}
}

// Results that take the memory of donated arguments bring no collection nearer.
func TestDonatedMemory(t *testing.T) {
	p, err := plugin(fakepjrt.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	const n = 100
	for _, donated := range []bool{false, true} {
		c, err := runtime.Compile(p.devices[0], &runtime.Request{Jaxpr: scaled(n), Donated: []bool{donated, false}})
		if err != nil {
			t.Fatal(err)
		}
		var args []*runtime.Array
		for range 2 {
			a, err := p.devices[0].Place(t.Context(), ramp(n))
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, a)
		}
		before, want := p.client.memory.given.Load(), int64(4*n)
		if donated {
			want = 0
		}
		if _, err := c.Run(t.Context(), args); err != nil {
			t.Fatal(err)
		}
		if got := p.client.memory.given.Load() - before; got != want {
			t.Errorf("donated %v: a call adds %d bytes, want %d", donated, got, want)
		}
	}
}
