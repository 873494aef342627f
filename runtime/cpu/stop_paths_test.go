package cpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// endingContext is a context that ends when a product looks at it for the time after the
// first left looks. Its error is nil until then, so that steps that ask for it between
// products continue.
type endingContext struct {
	context.Context
	left  int64
	looks atomic.Int64
}

// Done returns a channel that is never closed.
func (c *endingContext) Done() <-chan struct{} { return make(chan struct{}) }

// Err returns an error after the context has ended.
func (c *endingContext) Err() error {
	if c.looks.Load() > c.left {
		return context.Canceled
	}
	return nil
}

// runEnding runs a program under a context that ends after some looks, −1: never. It returns
// the looks.
func runEnding(p *program, threads int, left int64, args []*runtime.Array) (outs []*runtime.Array, looks int64, err error) {
	if left < 0 {
		left = 1 << 60
	}
	c := &endingContext{Context: context.Background(), left: left}
	x := begin(c, threads)
	own := x.stop
	x.stop = func() bool { return c.looks.Add(1) > left }
	outs = make([]*runtime.Array, len(p.types))
	err = p.guarded(x, args, outs)
	x.stop = own
	x.end()
	return outs, c.looks.Load(), err
}

// nativeExecutors returns those that can run here, which the test may change.
func nativeExecutors(t *testing.T) []*executor {
	var all []*executor
	for _, e := range allExecutors() {
		if e.Available() == nil {
			all = append(all, e)
		}
	}
	if all == nil {
		t.Skip("no native executor can run here")
	}
	return all
}

// arguments returns arrays of ones, of any type.
func arguments(j *jaxpr.Jaxpr) []*runtime.Array {
	var args []*runtime.Array
	for _, v := range j.Ins {
		args = append(args, filledWith(v.Type, 1))
	}
	return args
}

// filledWith returns an array of a small number's bytes.
func filledWith(t core.ShapedArray, b byte) *runtime.Array {
	a := runtime.New(t)
	data := a.Tensor().Data
	clear(data)
	for i := 0; i < len(data); i += t.DType.Size() {
		data[i] = b
	}
	return a
}

// Products look at the context and return its error, for every type, layout, instruction
// set and number of threads: also where the last look is the one at which it has ended.
func TestEveryProductLooks(t *testing.T) {
	layouts := []struct{ name, numbers, x, y, out string }{
		{"tiles", "(((1,), (0,)), ((), ()))", "[300,300]", "[300,300]", "[300,300]"},
		{"few rows", "(((1,), (0,)), ((), ()))", "[3,300]", "[300,300]", "[3,300]"},
		{"right transposed", "(((1,), (1,)), ((), ()))", "[300,300]", "[300,300]", "[300,300]"},
		{"left transposed", "(((0,), (0,)), ((), ()))", "[300,300]", "[300,300]", "[300,300]"},
		{"matrix and vector", "(((1,), (0,)), ((), ()))", "[500,300]", "[300]", "[500]"},
		{"vector and matrix", "(((0,), (0,)), ((), ()))", "[300]", "[300,400]", "[400]"},
		{"vectors", "(((0,), (0,)), ((), ()))", "[70000]", "[70000]", "[]"},
		{"batch", "(((2,), (1,)), ((0,), (0,)))", "[20,40,40]", "[20,40,40]", "[20,40,40]"},
		{"batch of transposed", "(((1,), (2,)), ((0,), (0,)))", "[20,40,40]", "[20,40,40]", "[20,40,40]"},
	}
	for _, e := range nativeExecutors(t) {
		for _, dt := range []string{"f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool"} {
			for _, l := range layouts {
				j := ircheck.Parse(t, fmt.Sprintf("{ lambda ; a:%[1]s%[3]s b:%[1]s%[4]s. let c:%[1]s%[5]s = dot_general[dimension_numbers=%[2]s preferred_element_type=None] a b in (c,) }", dt, l.numbers, l.x, l.y, l.out))
				for threads := 1; threads <= 2; threads++ {
					endsAtLooks(t, fmt.Sprintf("%s, %s on %s, threads %d", dt, l.name, e.Name(), threads), e, j, threads)
				}
			}
		}
	}
}

// A product of few rows and columns that is long, with weights that are computed, is divided: it looks at the
// context, too.
func TestLongProductOfFewRowsLooks(t *testing.T) {
	j := ircheck.Parse(t, `{ lambda ; a:f32[32,140000] b:i8[140000,64]. let
    c:f32[140000,64] = convert_element_type[new_dtype=float32 weak_type=False] b
    d:f32[32,64] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] a c
  in (d,) }`)
	for _, e := range nativeExecutors(t) {
		endsAtLooks(t, e.Name(), e, j, 1)
	}
}

// endsAtLooks checks that a program looks, and that it returns the error of a context that
// ends at the first look or at the last.
func endsAtLooks(t *testing.T, what string, e *executor, j *jaxpr.Jaxpr, threads int) {
	t.Helper()
	p, err := newProgram(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: threads}})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if len(p.account.Fallbacks) > 0 {
		t.Fatalf("%s: got fallbacks %v, want none", what, p.account.Fallbacks)
	}
	args := arguments(j)
	_, looks, err := runEnding(p, threads, -1, args)
	if err != nil || looks == 0 {
		t.Errorf("%s: got %d looks and error %v, want looks and none", what, looks, err)
		return
	}
	for _, left := range []int64{0, looks - 1} {
		if _, _, err := runEnding(p, threads, left, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, ended at look %d of %d: got error %v, want %v", what, left+1, looks, err, context.Canceled)
		}
	}
}

// movedAtOnce is the number of elements that one call copies at most.
const movedAtOnce = 1 << 16

// Transpositions look at the context, often.
func TestTranspositionsLook(t *testing.T) {
	j := ircheck.Parse(t, "{ lambda ; a:f32[2048,1024]. let b:f32[1024,2048] = transpose[permutation=(1, 0)] a in (b,) }")
	for _, e := range nativeExecutors(t) {
		p, err := newProgram(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1}})
		if err != nil {
			t.Fatal(err)
		}
		_, looks, err := runEnding(p, 1, -1, arguments(j))
		if want := int64(2048 * 1024 / movedAtOnce); err != nil || looks < want {
			t.Errorf("on %s: got %d looks and error %v, want %d and none", e.Name(), looks, err, want)
		}
		for threads := 1; threads <= 2; threads++ {
			endsAtLooks(t, fmt.Sprintf("transposition on %s, threads %d", e.Name(), threads), e, j, threads)
		}
	}
}

// The copy of a left operand whose contracted elements lie apart is made under the context.
func TestLeftCopiesLook(t *testing.T) {
	const text = "{ lambda ; a:f32[%s] b:f32[2048,64]. let c:f32[1024,64] = dot_general[dimension_numbers=(((%d,), (0,)), ((), ())) preferred_element_type=None] a b in (c,) }"
	for _, e := range nativeExecutors(t) {
		var looks [2]int64
		for i, j := range []*jaxpr.Jaxpr{ircheck.Parse(t, fmt.Sprintf(text, "1024,2048", 1)), ircheck.Parse(t, fmt.Sprintf(text, "2048,1024", 0))} {
			p, err := newProgram(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if plan := p.steps[0].(*productStep).plan; (plan.Left.Bytes > 0) != (i == 1) {
				t.Fatalf("on %s: product %d has another plan than this test supposes", e.Name(), i)
			}
			if _, looks[i], err = runEnding(p, 1, -1, arguments(j)); err != nil {
				t.Fatal(err)
			}
		}
		if least := int64(2048 * 1024 / movedAtOnce); looks[1]-looks[0] < least {
			t.Errorf("on %s: got %d looks with a copy and %d without, want %d more at least", e.Name(), looks[1], looks[0], least)
		}
	}
}

// Packing a constant ends with the context. What was not packed whole is packed by the next
// call.
func TestPackingStops(t *testing.T) {
	j := ircheck.Parse(t, `{ lambda a:f32[300,400] ; b:f32[64,300]. let
    c:f32[64,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] b a
  in (c,) }`)
	constant := runtime.New(j.Consts[0].Type)
	for i := range constant.Aval().Size() {
		constant.Tensor().Data[4*i+2], constant.Tensor().Data[4*i+3] = byte(i%100), 0x3f
	}
	j.ConstVals = []core.Value{constant}
	args := []*runtime.Array{runtime.New(j.Ins[0].Type)}
	copy(args[0].Tensor().Data, bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, args[0].Aval().Size()))
	for _, e := range nativeExecutors(t) {
		build := func() *program {
			p, err := newProgram(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if s, ok := p.steps[0].(*productStep); !ok || s.pack == nil {
				t.Fatalf("on %s: the constant is not packed once", e.Name())
			}
			return p
		}
		p := build()
		want, first, err := runEnding(p, 1, -1, args)
		if err != nil {
			t.Fatal(err)
		}
		_, later, _ := runEnding(p, 1, -1, args)
		if first <= later {
			t.Errorf("on %s: got %d looks in the call that packs and %d in the next, want more in the first", e.Name(), first, later)
		}
		for left := range first {
			p := build()
			if _, _, err := runEnding(p, 1, left, args); !errors.Is(err, context.Canceled) {
				t.Errorf("on %s, ended at look %d: got error %v, want %v", e.Name(), left+1, err, context.Canceled)
			}
			got, _, err := runEnding(p, 1, -1, args)
			if err != nil || !bytes.Equal(got[0].Tensor().Data, want[0].Tensor().Data) {
				t.Errorf("on %s, after a call that ended at look %d: got other numbers (error %v)", e.Name(), left+1, err)
			}
		}
	}
}
