package weft_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// A call of a compiled program on an executor of the host allocates its results and the values that
// contain them, and nothing else.
func TestSteadyCallsAllocateResults(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own")
	}
	onHostExecutor(func() { steadyCalls(t) })
}

func steadyCalls(t *testing.T) {
	type pair struct{ A, B weft.Array }
	x, y := weft.FromSlice([]float32{1, 2, 3}), weft.FromSlice([]float32{4, 5, 6})
	one := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2).Add(1) })
	two := weft.Jit(func(x, y weft.Array) (weft.Array, weft.Array) { return x.Add(y), x.Mul(y) })
	object := weft.Jit(func(p pair) pair { return pair{p.B, p.A.Add(p.B)} })
	layers := weft.Jit(func(m map[string]map[string]weft.Array) map[string]weft.Array {
		return map[string]weft.Array{"w": m["a"]["w"].Mul(m["b"]["w"]), "b": m["b"]["b"].Neg()}
	})
	ahead, err := weft.Compile(func(x, y weft.Array) (weft.Array, weft.Array) { return x.Add(y), x.Mul(y) }, x, y)
	if err != nil {
		t.Fatal(err)
	}
	model := map[string]map[string]weft.Array{"a": {"w": x}, "b": {"w": y, "b": x}}
	nested := weft.Jit(doubleLeaves)
	twenty := twentyLeaves()
	weft.With(weft.DebugKeyReuse(true), func() { x.Add(y) }) // a check that was on does not slow later calls
	for name, c := range map[string]struct {
		call func()
		most float64
	}{
		"one array":  {func() { one(x) }, 1},
		"two arrays": {func() { two(x, y) }, 2},
		"struct":     {func() { object(pair{x, y}) }, 8},
		"maps":       {func() { layers(model) }, 11},
		// 20 arrays; a map of ten is four pieces of memory, each of its elements two.
		"twenty leaves":    {func() { nested(twenty) }, 20 + 24 + 3},
		"ahead of time":    {func() { ahead.Call(x, y) }, 2},
		"eager operations": {func() { x.Mul(2).Add(1) }, 2},
	} {
		for range 2000 { // until the program is compiled
			c.call()
		}
		if got := testing.AllocsPerRun(200, c.call); got > c.most {
			t.Errorf("%s: got %v allocations, want at most %v", name, got, c.most)
		}
	}
}

// twentyLeaves returns ten layers of two small arrays.
func twentyLeaves() map[string]map[string]weft.Array {
	layers := map[string]map[string]weft.Array{}
	for i := range 10 {
		layers[fmt.Sprint("layer", i)] = map[string]weft.Array{"w": weft.Ones(16), "b": weft.Ones(16)}
	}
	return layers
}

func doubleLeaves(m map[string]map[string]weft.Array) map[string]map[string]weft.Array {
	return weft.TreeMap(func(x weft.Array) weft.Array { return x.Mul(2) }, m)
}

func BenchmarkJitTree(b *testing.B) {
	f, m := weft.Jit(doubleLeaves), twentyLeaves()
	for range 2000 { // until the program is compiled
		f(m)
	}
	loop(b, func() { f(m) })
}

// Calls with other keys, other statics, other types or missing parts find their own
// programs, also when they alternate.
func TestAlternatingForms(t *testing.T) {
	type layer struct {
		Name string
		M    map[string]weft.Array
		N    map[int]weft.Array
	}
	traces := 0
	f := weft.Jit(func(l layer) weft.Array {
		traces++
		sum := weft.Scalar(float32(len(l.Name)))
		for _, k := range []string{"a", "b", "c"} {
			if x, ok := l.M[k]; ok {
				sum = sum.Mul(10).Add(x.Sum())
			}
		}
		for k := range 3 {
			if x, ok := l.N[k]; ok {
				sum = sum.Mul(10).Add(x.Sum())
			}
		}
		return sum
	})
	s := func(v float32, n int) weft.Array { return weft.Full([]int{n}, v) }
	cases := []struct {
		l    layer
		want float64
	}{
		{layer{"x", map[string]weft.Array{"a": s(1, 1), "b": s(2, 1)}, nil}, 112},
		{layer{"x", map[string]weft.Array{"a": s(1, 1), "c": s(2, 1)}, nil}, 112},
		{layer{"x", map[string]weft.Array{"a": s(1, 2), "c": s(2, 1)}, nil}, 122},
		{layer{"xy", map[string]weft.Array{"a": s(1, 1), "b": s(2, 1)}, nil}, 212},
		{layer{"x", nil, map[int]weft.Array{0: s(3, 1), 2: s(4, 1)}}, 134},
		{layer{"x", map[string]weft.Array{}, map[int]weft.Array{0: s(3, 1), 1: s(4, 1)}}, 134},
		{layer{"x", nil, nil}, 1},
		{layer{"x", map[string]weft.Array{"a": weft.Scalar(float32(7))}, nil}, 17},
	}
	for round := range 4 {
		for i, c := range cases {
			for range 2 {
				if got := f(c.l).Float(); got != c.want {
					t.Errorf("round %d, case %d: got %v, want %v", round, i, got, c.want)
				}
			}
		}
	}
	if traces != len(cases) {
		t.Errorf("the function was traced %d times, want %d", traces, len(cases))
	}
}

// More maps of one type with different keys than a plan caches are still distinguished.
func TestManyKeySets(t *testing.T) {
	f := weft.Jit(func(ms []map[string]weft.Array) []map[string]weft.Array {
		return weft.TreeMap(func(x weft.Array) weft.Array { return x.Add(1) }, ms)
	})
	var ms []map[string]weft.Array
	for i := range 20 {
		m := map[string]weft.Array{}
		for k := range i % 4 {
			m[string(rune('a'+i+k))] = weft.Scalar(float32(i*10 + k))
		}
		ms = append(ms, m)
	}
	for range 3 {
		for i, m := range f(ms) {
			if len(m) != len(ms[i]) {
				t.Errorf("map %d: got %d keys, want %d", i, len(m), len(ms[i]))
			}
			for k, x := range m {
				if got, want := x.Float(), ms[i][k].Float()+1; got != want {
					t.Errorf("map %d, key %s: got %v, want %v", i, k, got, want)
				}
			}
		}
	}
}

type pointerConfig struct {
	K    float64
	F    func(weft.Array) weft.Array
	Next *pointerConfig
}

// What a static pointer points to is part of the key: a change of it is detected.
func TestJitStaticPointerContents(t *testing.T) {
	traces := 0
	f := weft.Jit(func(c *pointerConfig, x weft.Array) weft.Array {
		traces++
		for ; c != nil; c = c.Next {
			x = x.Mul(c.K)
			if c.F != nil {
				x = c.F(x)
			}
			if c.Next == c {
				break
			}
		}
		return x
	})
	x := weft.Of(3.)
	check := func(what string, c *pointerConfig, want float64, traced int) {
		t.Helper()
		near(t, what, f(c, x).Index(0), want)
		if traces != traced {
			t.Errorf("%s: traced %d times, want %d", what, traces, traced)
		}
	}
	c := &pointerConfig{K: 2}
	check("K = 2", c, 6, 1)
	check("K = 2 again", c, 6, 1)
	c.K = 7
	check("K = 7", c, 21, 2)
	c.Next = &pointerConfig{K: 10}
	check("a second link", c, 210, 3)
	c.Next.K = 100
	check("a change behind two pointers", c, 2100, 4)
	c.Next = c
	check("a cycle", c, 21, 5)
	c.Next = nil
	check("as before", c, 21, 5)
	for i := range 4 { // each closure may reuse the memory of the one before
		k := float64(i)
		c.F = func(x weft.Array) weft.Array { return x.Add(k) }
		check("a function", c, 21+k, 6+i)
	}
	if _, err := weft.Try(func() weft.Array { return f(nil, x) }); err != nil {
		t.Errorf("nil: %v", err)
	}
}

// A compiled function refuses a static pointer whose contents changed.
func TestCompileStaticPointerContents(t *testing.T) {
	c := &pointerConfig{K: 2}
	x := weft.Of(3.)
	f, err := weft.Compile(func(c *pointerConfig, x weft.Array) weft.Array { return x.Mul(c.K) }, c, x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "K = 2", f.Call(c, x).Index(0), 6)
	c.K = 7
	testcheck.Fails(t, core.ErrStatic, func() { f.Call(c, x) }, "static pointer")
}

// A compiled function refuses other static fields, and names the first that differs.
func TestCompileStaticFields(t *testing.T) {
	type config struct {
		X weft.Array
		K float64
	}
	f, err := weft.Compile(func(c config, x weft.Array) weft.Array { return x.Mul(c.X).Mul(c.K) }, config{weft.Of(2.), 5}, weft.Of(3.))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "K = 5", f.Call(config{weft.Of(2.), 5}, weft.Of(3.)).Index(0), 30)
	testcheck.Fails(t, core.ErrStatic, func() { f.Call(config{weft.Of(2.), 7}, weft.Of(3.)) }, "was compiled with argument 0.K", "5, called with", "7")
}

// What is behind a lock cannot be compared, and is refused with the fix.
func TestJitStaticPointerToLock(t *testing.T) {
	type guarded struct {
		mu sync.Mutex //lint:ignore U1000 it is there to be refused
		K  float64
	}
	f := weft.Jit(func(c *guarded, x weft.Array) weft.Array { return x.Mul(c.K) })
	err := core.Catch(func() { f(&guarded{K: 2}, weft.Of(3.)) })
	if err == nil || !strings.Contains(err.Error(), "capture the pointer") {
		t.Errorf("got %v, want an error that recommends to capture the pointer", err)
	}
}
