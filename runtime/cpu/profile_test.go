package cpu_test

import (
	"context"
	"testing"
	"time"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// Each step of a program and of the loops in it was called as often as it runs, and took time.
func TestProfileCountsCalls(t *testing.T) {
	e := nativeExecutor(t)
	j, err := jaxpr.Parse(`{ lambda ; a:f32[64,64]. let
    b:f32[64,64] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] a a
    c:f32[64,64] = scan[
      _split_transpose=False
      jaxpr={ lambda ; d:f32[64,64]. let
          e:f32[64,64] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] d d
        in (e,) }
      length=7
      linear=(False,)
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] b
  in (c,) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := e.Compile(&runtime.Request{Jaxpr: lower.Program(j)})
	if err != nil {
		t.Fatal(err)
	}
	times, runs, err := cpu.Profile(context.Background(), exe, []*runtime.Array{runtime.New(j.InAvals()[0])}, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[int]int{}
	for _, s := range times {
		if calls[s.Calls]++; s.Time <= 0 {
			t.Errorf("%T took %v", s.Step, s.Time)
		}
	}
	if runs < 1 || calls[runs] < 2 || calls[7*runs] < 1 || calls[runs]+calls[7*runs] != len(times) {
		t.Errorf("%d runs, %d steps, of which so many have so many calls: %v", runs, len(times), calls)
	}
}
