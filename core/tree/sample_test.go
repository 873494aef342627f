package tree

import (
	"math"
	"reflect"
	"testing"
	"unsafe"
)

// leafT is shaped as the façade's Array is.
type leafT struct {
	_ [0]func()
	v *int
}

func num(n int) leafT         { return leafT{v: &n} }
func (l leafT) apply() string { return "leaf" }

type layer interface{ apply() string }

type dense struct {
	W, B leafT
	Act  func(float64) float64
	Rate float64
}

func (dense) apply() string { return "dense" }

type dropout struct{ P float64 }

func (*dropout) apply() string { return "dropout" }

type inner struct{ A, B leafT }

type base struct{ Scale leafT }

type model struct {
	base
	Name   string
	Layers []layer
	Table  map[string]leafT
	Pair   [2]leafT
	Next   *model
	Frozen inner `weft:"frozen"`
	sizes  []int
	Any    any
}

func planOf[P any](t *testing.T, p P) *Plan[leafT] {
	t.Helper()
	plan, err := For[leafT](reflect.TypeFor[P]())
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func flatten[P any](t *testing.T, p P) (*Plan[leafT], *Flat[leafT]) {
	t.Helper()
	plan := planOf(t, p)
	f := &Flat[leafT]{}
	plan.Flatten(f, unsafe.Pointer(&p))
	return plan, f
}

func values(ls []leafT) []int {
	out := []int{}
	for _, l := range ls {
		if l.v == nil {
			out = append(out, -1)
		} else {
			out = append(out, *l.v)
		}
	}
	return out
}

func sample() model {
	return model{
		base: base{num(1)},
		Name: "m",
		Layers: []layer{
			dense{W: num(2), B: num(3), Act: math.Sin, Rate: 0.5},
			&dropout{0.1},
			nil,
			num(4),
		},
		Table:  map[string]leafT{"z": num(6), "a": num(5)},
		Pair:   [2]leafT{num(7), num(8)},
		Next:   &model{base: base{num(9)}, Table: map[string]leafT{}},
		Frozen: inner{num(19), num(20)},
		sizes:  []int{1, 2},
		Any:    map[string]any{"k": []leafT{num(21)}, "n": 3},
	}
}
