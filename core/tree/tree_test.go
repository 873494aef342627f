package tree

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core"
)

func TestPathsAndLeaves(t *testing.T) {
	m := sample()
	m.Next.Pair = [2]leafT{num(10), num(11)}
	m.Next.Frozen = inner{num(12), num(13)}
	plan, f := flatten(t, m)
	want := []string{
		".base.Scale 1", ".Layers[0].W 2", ".Layers[0].B 3", ".Layers[3] 4", `.Table["a"] 5`, `.Table["z"] 6`,
		".Pair[0] 7", ".Pair[1] 8", ".Next.base.Scale 9", ".Next.Pair[0] 10", ".Next.Pair[1] 11",
		".Next.Frozen.A 12", ".Next.Frozen.B 13", ".Frozen.A 19", ".Frozen.B 20", `.Any["k"][0] 21`,
	}
	var got []string
	for i, path := range plan.Paths(unsafe.Pointer(&m)) {
		got = append(got, fmt.Sprint(path, " ", *f.Leaves[i].v))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	frozen := plan.Frozen(unsafe.Pointer(&m))
	for i, path := range plan.Paths(unsafe.Pointer(&m)) {
		if frozen[i] != strings.Contains(path, "Frozen") {
			t.Errorf("frozen[%s] = %v", path, frozen[i])
		}
	}
}

func TestRebuild(t *testing.T) {
	m := sample()
	plan, f := flatten(t, m)
	def := plan.Def(unsafe.Pointer(&m))
	if def.Len() != len(f.Leaves) {
		t.Fatalf("def has %d leaves, the value %d", def.Len(), len(f.Leaves))
	}
	before := values(f.Leaves)
	fresh := make([]leafT, len(f.Leaves)+1)
	for i := range fresh {
		fresh[i] = num(100 + i)
	}
	m.sizes[0] = 77 // the Def has a copy
	var out model
	rest := def.Rebuild(unsafe.Pointer(&out), fresh)
	if len(rest) != 1 || *rest[0].v != 100+len(before) {
		t.Errorf("rest is %v", values(rest))
	}
	_, g := flatten(t, out)
	if got := values(g.Leaves); got[0] != 100 || got[len(got)-1] != 99+len(before) || len(got) != len(before) {
		t.Errorf("rebuilt leaves %v", got)
	}
	if out.Name != "m" || out.sizes[0] != 1 || out.Layers[2] != nil || out.Layers[1] != m.Layers[1] ||
		out.Layers[0].(dense).Rate != 0.5 || out.Any.(map[string]any)["n"] != 3 || out.Next == m.Next || out.Next.Layers != nil ||
		out.Next.Table == nil {
		t.Errorf("rebuilt %+v", out)
	}
	for i, want := range []string{0: "dense", 1: "dropout", 3: "leaf"} {
		if want != "" && out.Layers[i].apply() != want {
			t.Errorf("rebuilt layer %d is a %s, want a %s", i, out.Layers[i].apply(), want)
		}
	}
	out.sizes[1] = 5
	var again model
	def.Rebuild(unsafe.Pointer(&again), fresh)
	if again.sizes[1] != 2 {
		t.Error("rebuilt values share a static slice")
	}
	_, f = flatten(t, m)
	if d := cmp.Diff(before, values(f.Leaves)); d != "" {
		t.Errorf("the original changed: %s", d)
	}
}

func TestStore(t *testing.T) {
	m := sample()
	next, table := m.Next, m.Table
	plan, f := flatten(t, m)
	for i := range f.Leaves {
		f.Leaves[i] = num(50 + i)
	}
	plan.Store(unsafe.Pointer(&m), f.Leaves)
	_, g := flatten(t, m)
	if d := cmp.Diff(values(f.Leaves), values(g.Leaves)); d != "" {
		t.Error(d)
	}
	if m.Next != next || *table["a"].v == 5 {
		t.Error("Store did not write through pointers and maps")
	}
}

func keyOf[P any](t *testing.T, p P) string {
	_, f := flatten(t, p)
	return string(f.Key())
}

func TestKeys(t *testing.T) {
	type conf struct {
		X    leafT
		N    int
		F    float64
		S    string
		B    bool
		L    []int
		M    map[string]int
		P    *int
		Fn   func()
		I    any
		C    complex64
		Deep struct{ a, b int8 }
	}
	one := 1
	fn := func() { one++ }
	ok := conf{N: 1, F: 2, S: "s", L: []int{1}, M: map[string]int{"a": 1, "b": 2}, P: &one, Fn: fn, I: 5}
	same := ok
	same.X, same.L, same.M = num(3), []int{1}, map[string]int{"b": 2, "a": 1}
	if keyOf(t, ok) != keyOf(t, same) {
		t.Error("equal statics have different keys")
	}
	two := 1
	for i, change := range []func(*conf){
		func(c *conf) { c.N = 2 }, func(c *conf) { c.F = 3 }, func(c *conf) { c.F = math.Copysign(0, -1) }, func(c *conf) { c.S = "" },
		func(c *conf) { c.B = true }, func(c *conf) { c.L = []int{1, 0} }, func(c *conf) { c.L = nil }, func(c *conf) { c.L = []int{} },
		func(c *conf) { c.M = map[string]int{"a": 2, "b": 1} }, func(c *conf) { c.P = &two }, func(c *conf) { c.Fn = nil },
		func(c *conf) { c.I = int64(5) }, func(c *conf) { c.I = num(1) }, func(c *conf) { c.I = nil }, func(c *conf) { c.C = 1i },
		func(c *conf) { c.Deep.b = 1 },
	} {
		other := ok
		change(&other)
		if keyOf(t, ok) == keyOf(t, other) {
			t.Errorf("change %d does not show in the key", i)
		}
		plan := planOf(t, ok)
		if _, _, _, differ := plan.Difference(unsafe.Pointer(&ok), unsafe.Pointer(&other)); !differ {
			t.Errorf("change %d is no difference", i)
		}
	}
	// The structure is part of the key.
	if keyOf(t, []leafT(nil)) == keyOf(t, []leafT{}) || keyOf(t, []*leafT{nil}) == keyOf(t, []*leafT{new(leafT)}) ||
		keyOf(t, map[string]leafT{"a": {}}) == keyOf(t, map[string]leafT{"b": {}}) ||
		keyOf(t, map[string]leafT{}) == keyOf(t, map[string]leafT(nil)) ||
		keyOf[layer](t, num(1)) == keyOf[layer](t, dense{}) || keyOf[layer](t, dense{}) == keyOf[layer](t, &dense{}) {
		t.Error("structures that differ have one key")
	}
}

func TestDifference(t *testing.T) {
	a, b := sample(), sample()
	b.Next.Layers = []layer{num(1)}
	plan := planOf(t, a)
	path, x, y, ok := plan.Difference(unsafe.Pointer(&a), unsafe.Pointer(&b))
	if got := fmt.Sprint(path, ": ", x, ", ", y, " ", ok); got != ".Next.Layers: nil, 1 element true" {
		t.Error(got)
	}
}

// A pointer to what could hold leaves but does not is static, by identity.
func TestServices(t *testing.T) {
	type service struct {
		Backend any
		Peer    *service
	}
	type holder struct {
		X leafT
		S *service
	}
	s := &service{}
	s.Peer, s.Backend = s, math.NaN()
	h := holder{num(1), s}
	plan, f := flatten(t, h)
	if len(f.Leaves) != 1 {
		t.Fatalf("leaves %v", f.Leaves)
	}
	var out holder
	plan.Def(unsafe.Pointer(&h)).Rebuild(unsafe.Pointer(&out), f.Leaves)
	if out.S != s {
		t.Error("the service was copied")
	}
	s2 := &service{Backend: num(4)}
	if _, f := flatten(t, holder{num(1), s2}); len(f.Leaves) != 2 {
		t.Errorf("leaves %v", f.Leaves)
	}
}

func TestRefused(t *testing.T) {
	type hidden struct {
		W leafT
		b leafT //lint:ignore U1000 it is there to be refused
	}
	type hiddenDeep struct {
		Inner []struct{ m map[string]*leafT }
	}
	type badTag struct {
		W leafT `weft:"ice"`
	}
	type frozenStatic struct {
		W leafT
		N int `weft:"frozen"`
	}
	for _, c := range []struct {
		typ     reflect.Type
		message string
	}{
		{reflect.TypeFor[hidden](), ".b is unexported"},
		{reflect.TypeFor[hiddenDeep](), ".Inner[0].m is unexported"},
		{reflect.TypeFor[badTag](), `has the tag weft:"ice"`},
		{reflect.TypeFor[frozenStatic](), "is static anyway"},
		{reflect.TypeFor[map[float64]leafT](), "string or integer keys"},
		{reflect.TypeFor[struct{ *hidden }](), "is unexported"},
	} {
		_, err := For[leafT](c.typ)
		if !errors.Is(err, core.ErrTree) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%v: %v, want %q", c.typ, err, c.message)
		}
	}

	type list struct {
		W    leafT
		Next *list
	}
	type secret struct {
		W leafT
		s any
	}
	cycle := &list{}
	cycle.Next = cycle
	shared := &inner{}
	type floats struct {
		W  leafT
		In struct{ F []float64 }
	}
	nan := floats{}
	nan.In.F = []float64{0, math.NaN()}
	loop := []any{nil}
	loop[0] = loop
	for _, c := range []struct {
		f       func() error
		kind    error
		message string
	}{
		{func() error { return try(cycle) }, core.ErrTree, "Next is a pointer that came before"},
		{func() error { return try([]*inner{shared, shared}) }, core.ErrTree, "[1] is a pointer that came before"},
		{func() error { return try(map[string]*inner{"a": shared, "b": shared}) }, core.ErrTree, `["b"] is a pointer`},
		{func() error { return try(nan) }, core.ErrStatic, "In.F[1] is NaN"},
		{func() error { return try(loop) }, core.ErrTree, "does it contain itself"},
		{func() error { return try(secret{s: num(1)}) }, core.ErrTree, "s is unexported"},
		{func() error { return try([]any{hidden{}}) }, core.ErrTree, ".b is unexported"},
	} {
		err := c.f()
		if !errors.Is(err, c.kind) || err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%v, want %q", err, c.message)
		}
	}
}

func try[P any](p P) error {
	plan, err := For[leafT](reflect.TypeFor[P]())
	if err != nil {
		return err
	}
	return core.Catch(func() { plan.Flatten(&Flat[leafT]{}, unsafe.Pointer(&p)) })
}

func TestPointersSharedBetweenArguments(t *testing.T) {
	shared := &inner{}
	plan := planOf(t, shared)
	f := &Flat[leafT]{}
	plan.Flatten(f, unsafe.Pointer(&shared))
	if err := core.Catch(func() { plan.Flatten(f, unsafe.Pointer(&shared)) }); !errors.Is(err, core.ErrTree) {
		t.Errorf("one pointer in two arguments: %v", err)
	}
	f.Reset()
	plan.Flatten(f, unsafe.Pointer(&shared))
}

func TestPrefix(t *testing.T) {
	terminal := func(v any) bool { _, ok := v.(int); return ok || v == nil }
	type axes map[string]any
	type tree struct {
		A inner
		L []leafT
		M map[string]leafT
		P *inner
		N int
	}
	v := tree{L: make([]leafT, 2), M: map[string]leafT{"k": {}, "j": {}}, P: &inner{}}
	plan := planOf(t, v)
	got := plan.Prefix(unsafe.Pointer(&v), axes{"A": 1, "L": []any{2, nil}, "M": map[string]int{"k": 4, "j": 3}, "P": axes{"A": 5, "B": nil}}, terminal)
	if d := cmp.Diff([]any{1, 1, 2, nil, 3, 4, 5, nil}, got); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		spec    any
		message string
	}{
		{axes{"A": 1}, "does not mention the field L"},
		{axes{"A": 1, "L": 1, "M": 1, "P": 1, "Q": 1}, "has no field Q"},
		{axes{"A": 1, "L": []int{1}, "M": 1, "P": 1}, "L is a []tree.leafT of 2 elements"},
		{axes{"A": "x", "L": 1, "M": 1, "P": 1}, "A is a tree.inner, but its specification is the string x"},
		{axes{"A": axes{"A": axes{}, "B": 1}, "L": 1, "M": 1, "P": 1}, "A.A is a leaf"},
		{axes{"A": 1, "L": 1, "M": axes{"k": 1}, "P": 1}, `does not mention the key "j"`},
		{axes{"A": 1, "L": 1, "M": axes{"k": 1, "j": 1, "i": 0}, "P": 1}, `has no key "i"`},
	} {
		err := core.Catch(func() { plan.Prefix(unsafe.Pointer(&v), c.spec, terminal) })
		if !errors.Is(err, core.ErrTree) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%v: %v, want %q", c.spec, err, c.message)
		}
	}
}

func TestFixed(t *testing.T) {
	type mlp struct{ W1, B1, W2, B2 leafT }
	if n, ok := planOf(t, mlp{}).Fixed(); n != 4 || !ok {
		t.Errorf("mlp: %d %v", n, ok)
	}
	if n, ok := planOf(t, [3]mlp{}).Fixed(); n != 12 || !ok {
		t.Errorf("[3]mlp: %d %v", n, ok)
	}
	if _, ok := planOf(t, [100]leafT{}).Fixed(); ok {
		t.Error("[100]leaf has a list of offsets")
	}
	if _, f := flatten(t, [100]leafT{}); len(f.Leaves) != 100 {
		t.Errorf("[100]leaf has %d leaves", len(f.Leaves))
	}
	if !planOf(t, struct{ A, B int }{}).Static() {
		t.Error("ints are not static")
	}
}

func TestConcurrentPlans(t *testing.T) {
	type a struct {
		X    leafT
		Kids []a
		M    map[string]*a
		S    []struct{ Deep []struct{ N int } }
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			v := a{Kids: []a{{}, {}}, S: []struct{ Deep []struct{ N int } }{{}}}
			if err := try(v); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
