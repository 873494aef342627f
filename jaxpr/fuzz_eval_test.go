package jaxpr_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// Programs read from mutated texts run, or are refused with an error. None crashes, and those that
// are cancelled stop.
func TestMutationsRun(t *testing.T) {
	all := goldens(t)
	rng := rand.New(rand.NewPCG(3, 4))
	read, ran, stopped := 0, 0, 0
	texts := *mutations / 3
	for i := range texts {
		text := mutate(rng, all)
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil || jaxpr.Check(j) != nil {
			continue
		}
		read++
		var in []*runtime.Array
		elements := 0
		for _, v := range append(append([]*jaxpr.Var{}, j.Consts...), j.Ins...) {
			if n := v.Type.Size(); n < 0 || n > 1<<16 || v.Type.Ref || v.Type.DType == core.Token {
				elements = 1 << 20
				break
			} else {
				elements += n
			}
			a := runtime.New(v.Type)
			for k := range a.Tensor().Data {
				a.Tensor().Data[k] = byte(rng.IntN(3))
			}
			in = append(in, a)
		}
		if elements > 1<<16 || !small(j) {
			continue
		}
		k := &jaxpr.Jaxpr{Ins: append(append([]*jaxpr.Var{}, j.Consts...), j.Ins...), Eqns: j.Eqns, Outs: j.Outs}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		_, err = runtime.Evaluate(ctx, runtime.Reference, k, in)
		cancel()
		switch {
		case err == nil:
			ran++
		case errors.Is(err, context.DeadlineExceeded):
			stopped++
		case errors.As(err, new(*core.Error)):
		default:
			t.Errorf("text %d: %v\n%s", i, err, text)
		}
	}
	t.Logf("%d texts, %d of them programs; %d ran, %d were stopped", texts, read, ran, stopped)
	if read == 0 || ran == 0 {
		t.Error("none ran")
	}
}

// small reports whether no program of j makes an array that takes long to fill.
func small(j *jaxpr.Jaxpr) bool {
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			if n := v.Type.Size(); n < 0 || n > 1<<18 {
				return false
			}
		}
		for _, k := range jaxpr.Programs(e.Prim) {
			if !small(k) {
				return false
			}
		}
	}
	return true
}
