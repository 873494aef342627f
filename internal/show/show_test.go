package show_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/show"
	"github.com/weft-go/weft/runtime"
)

// formatted calls show.Format for the verbs of fmt.
type formatted struct{ x core.Value }

func (f formatted) Format(s fmt.State, verb rune) { show.Format(s, verb, f.x) }

func numbers(vs ...float64) *runtime.Array {
	a := runtime.New(core.Aval(core.Float32, len(vs)))
	for i, v := range vs {
		elem.Put(a.Tensor().Data[4*i:], core.FloatNumber(v), core.Float32)
	}
	return a
}

func TestFormat(t *testing.T) {
	x := numbers(1, 2.5)
	for _, c := range []struct {
		format string
		x      core.Value
		want   string
	}{
		{"%v", x, "[1.  2.5]"},
		{"%+v", x, "f32[2] [1.  2.5]"},
		{"%.2f", x, "[1.00 2.50]"},
		{"%q", x, "%!q(weft.Array=[1.  2.5])"},
		{"%v", nil, "<no Array>"},
		{"%12v", nil, "  <no Array>"},
		{"%-12v|", nil, "<no Array>  |"},
	} {
		if got := fmt.Sprintf(c.format, formatted{c.x}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.format, got, c.want)
		}
	}
}

func TestLogValue(t *testing.T) {
	for _, c := range []struct {
		x    core.Value
		want string
	}{
		{nil, "<no Array>"},
		{numbers(1, 2, 6), "[type=f32[3] min=1 mean=3 max=6]"},
		{numbers(), "[type=f32[0]]"},
	} {
		if got := show.LogValue(c.x).String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
