package stablehlo_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// rereadKeys writes a program, reads it back as a program of words, and checks that it has the same results.
func rereadKeys(t *testing.T, name string, j *jaxpr.Jaxpr, args []*runtime.Array) {
	t.Helper()
	text, err := stablehlo.Write(j, writing)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	m, err := stablehlo.Parse(name, text)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	p, err := m.Program(m.Main(), j.InAvals(), options)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	for i := range want {
		if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
			t.Errorf("%s: result %d: got %v, want %v\n%s", name, i, got[i].Text(nil), want[i].Text(nil), text)
		}
	}
}

// Every operation on keys is written as an operation on their words.
func TestWriteKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	ran := map[string]bool{}
	for _, s := range primtest.All() {
		keyed := false
		for _, a := range append(core.AbstractOf(s.Prim, s.In), s.In...) {
			keyed = keyed || a.DType.IsKey()
		}
		if name := s.Prim.Name(); keyed && unwritten[name] == "" && !strings.HasPrefix(name, "empty") {
			ran[name] = true
			rereadKeys(t, fmt.Sprintf("%s of %v", name, s.In), equation(s.Prim, s.In), samples(r, s))
		}
	}
	if len(ran) < 20 {
		t.Errorf("%d operations on keys, want more: %v", len(ran), ran)
	}
}

// Loops carry keys, read rows of them and collect them.
func TestWriteScanOfKeys(t *testing.T) {
	j, err := jaxpr.Parse(`{ lambda ; a:key<fry>[] b:key<fry>[3,2] c:u32[]. let
    d:key<fry>[] e:u32[3,2] f:key<fry>[3] g:key<fry>[3,2] = scan[
      jaxpr={ lambda ; h:u32[] i:key<fry>[] j:key<fry>[2]. let
          k:key<fry>[] = random_fold_in i h
          l:key<fry>[2] = random_split[shape=(2,)] k
          m:key<fry>[1] = slice[limit_indices=(1,) start_indices=(0,) strides=(1,)] l
          n:key<fry>[] = squeeze[dimensions=(0,)] m
          o:u32[2] = random_bits[bit_width=32 shape=()] j
        in (n, o, i, j) }
      length=3 num_carry=1 num_consts=1 reverse=True unroll=1
    ] c a b
  in (d, e, f, g) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 2))
	var args []*runtime.Array
	for _, a := range j.InAvals() {
		args = append(args, draw(r, a, primtest.Domain{}))
	}
	rereadKeys(t, "scan", j, args)
}
