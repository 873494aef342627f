package data_test

import (
	"context"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/data"
	"github.com/weft-go/weft/internal/test/testcheck"
)

type set struct {
	X     weft.Array
	Label []string
	More  map[string][]float32
	Parts []weft.Array
	Class []string `data:"-"`
	Name  string
}

func numbered(n int) set {
	s := set{X: weft.Iota(weft.Float32, 0, n, 2), Name: "numbers", Class: []string{"a", "b", "c"}}
	s.More = map[string][]float32{"half": nil}
	for i := range n {
		s.Label = append(s.Label, string(rune('a'+i)))
		s.More["half"] = append(s.More["half"], float32(i)/2)
	}
	s.Parts = []weft.Array{weft.Iota(weft.Int32, 0, n), weft.Iota(weft.Int64, 0, n, 1, 3)}
	return s
}

// numbers returns the examples that a set is made of; everything in it must agree.
func numbers(t *testing.T, s set) []int {
	t.Helper()
	n := data.Len(s)
	out := make([]int, n)
	for i, x := range weft.ToSlice[int32](s.Parts[0]) {
		out[i] = int(x)
		if s.Label[i] != string(rune('a'+x)) || s.More["half"][i] != float32(x)/2 || s.X.Index(i, 1).Float() != float64(x) || s.Parts[1].Index(i, 0, 2).Int() != int(x) {
			t.Errorf("example %d is a mixture: %v, %s, %v, %v", i, x, s.Label[i], s.More["half"][i], s.X.Index(i))
		}
	}
	if s.Name != "numbers" || len(s.Class) != 3 {
		t.Errorf("what is the same for all changed: %q, %q", s.Name, s.Class)
	}
	return out
}

func batches(t *testing.T, seq iter.Seq[set]) (out [][]int) {
	for b := range seq {
		out = append(out, numbers(t, b))
	}
	return out
}

func equal(t *testing.T, what string, got, want [][]int) {
	t.Helper()
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestBatches(t *testing.T) {
	s := numbered(7)
	equal(t, "KeepRest", batches(t, data.Batches(s, 3, data.KeepRest)), [][]int{{0, 1, 2}, {3, 4, 5}, {6}})
	equal(t, "DropRest", batches(t, data.Batches(s, 3, data.DropRest)), [][]int{{0, 1, 2}, {3, 4, 5}})
	equal(t, "WrapRest", batches(t, data.Batches(s, 3, data.WrapRest)), [][]int{{0, 1, 2}, {3, 4, 5}, {6, 0, 1}})
	equal(t, "WrapRest of a large batch", batches(t, data.Batches(s, 16, data.WrapRest)), [][]int{{0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0, 1}})
	equal(t, "all at once", batches(t, data.Batches(s, 7, data.DropRest)), [][]int{{0, 1, 2, 3, 4, 5, 6}})
	equal(t, "too large a batch", batches(t, data.Batches(s, 8, data.DropRest)), nil)
	for _, size := range []int{1 << 42, 1 << 62, math.MaxInt} {
		testcheck.Fails(t, core.ErrShape, func() { data.Batches(s, size, data.WrapRest) }, "Batches", "memory")
	}
	equal(t, "no examples", batches(t, data.Batches(numbered(0), 3, data.WrapRest)), nil)
	for range 2 { // may be ranged over again, and left
		n := 0
		for range data.Batches(s, 3, data.KeepRest) {
			if n++; n == 2 {
				break
			}
		}
		if n != 2 {
			t.Errorf("%d batches before the break", n)
		}
	}
	// A slice's batch cannot grow into the next one.
	first := data.Slice(s, 0, 2)
	first.Label = append(first.Label, "x")
	if s.Label[2] != "c" {
		t.Error("appending to a batch writes into the set")
	}
	// A bare array is a set, too.
	var sums []float64
	for b := range data.Batches(weft.Arange(0., 5), 2, data.KeepRest) {
		sums = append(sums, b.Sum().Float())
	}
	if !slices.Equal(sums, []float64{1, 5, 4}) {
		t.Errorf("sums of batches of an array: %v", sums)
	}
}

func TestShuffle(t *testing.T) {
	s := numbered(20)
	a, b, c := numbers(t, data.Shuffle(s, 1)), numbers(t, data.Shuffle(s, 1)), numbers(t, data.Shuffle(s, 2))
	if !slices.Equal(a, b) || slices.Equal(a, c) {
		t.Errorf("the seed does not decide: %v, %v, %v", a, b, c)
	}
	if want := []int{14, 17, 2, 12, 9, 1, 0, 6, 7, 3, 4, 10, 8, 19, 5, 11, 15, 16, 13, 18}; !slices.Equal(a, want) {
		t.Errorf("seed 1 is %v, and was %v", a, want)
	}
	slices.Sort(a)
	for i, x := range a {
		if i != x {
			t.Errorf("the shuffled set contains %v", a)
			break
		}
	}
	// Every example comes to every place about as often.
	counts := make([]int, 16)
	for seed := range uint64(4000) {
		o := data.Order(4, seed)
		for i, x := range o {
			counts[4*i+x]++
		}
	}
	for i, n := range counts {
		if n < 900 || n > 1100 {
			t.Errorf("example %d came to place %d %d times of 4000", i%4, i/4, n)
		}
	}
	train, test := data.Split(s, 15, 3)
	both := append(numbers(t, train), numbers(t, test)...)
	if slices.Sort(both); data.Len(train) != 15 || len(both) != 20 || both[19] != 19 || slices.Index(both, 7) != 7 {
		t.Errorf("split into %v", both)
	}
}

func TestEpochs(t *testing.T) {
	s := numbered(5)
	var epochs []int
	var all [][]int
	for e, b := range data.Epochs(s, 2, 2, data.WrapRest, 4) {
		epochs = append(epochs, e)
		all = append(all, numbers(t, b))
	}
	if !slices.Equal(epochs, []int{0, 0, 0, 1, 1, 1}) {
		t.Errorf("epochs %v", epochs)
	}
	if slices.EqualFunc(all[:3], all[3:], slices.Equal) {
		t.Errorf("both epochs have the order %v", all)
	}
	n := 0
	for range data.Epochs(s, 0, 5, data.KeepRest, 1) {
		if n++; n == 100 {
			break
		}
	}
	if n != 100 {
		t.Errorf("endless epochs ended after %d", n)
	}
	for range data.Epochs(numbered(0), 0, 5, data.KeepRest, 1) {
		t.Error("no examples give a batch")
	}
}

// settle waits until only as many goroutines are left as there were.
func settle(t *testing.T, before int) {
	t.Helper()
	for range 1_000_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, before there were %d", runtime.NumGoroutine(), before)
}

func TestPrefetch(t *testing.T) {
	before := runtime.NumGoroutine()
	s := numbered(7)
	source := data.Batches(s, 2, data.KeepRest)
	equal(t, "prefetched", batches(t, data.Prefetch(t.Context(), source, 3)), batches(t, source))
	settle(t, before)

	// A break ends the goroutine, whether it waits or works.
	endless := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	}
	n := 0
	for i := range data.Prefetch(t.Context(), endless, 2) {
		if n++; i == 10 {
			break
		}
	}
	if n != 11 {
		t.Errorf("%d elements before the break", n)
	}
	settle(t, before)

	// The end of the context ends it, too.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n = 0
	for i := range data.Prefetch(ctx, endless, 2) {
		n++
		if i == 5 {
			cancel()
		}
	}
	if n != 6 || ctx.Err() == nil {
		t.Errorf("%d elements before the context was done", n)
	}
	for range data.Prefetch(ctx, endless, 2) {
		t.Error("an element after the context was done")
	}
	settle(t, before)

	// A panic of the source comes out of the loop, after what came before.
	n = 0
	testcheck.PanicsWith(t, "no more", func() {
		for range data.Prefetch(t.Context(), func(yield func(int) bool) {
			yield(1)
			yield(2)
			panic("no more")
		}, 1) {
			n++
		}
	})
	if n != 2 {
		t.Errorf("%d elements before the panic", n)
	}
	// A panic of the loop's body ends the goroutine.
	testcheck.PanicsWith(t, "enough", func() {
		for range data.Prefetch(t.Context(), endless, 2) {
			panic("enough")
		}
	})
	settle(t, before)
}

// The source works ahead, as far as it was configured to.
func TestPrefetchAhead(t *testing.T) {
	given := make(chan int, 100)
	source := func(yield func(int) bool) {
		for i := 0; i < 10; i++ {
			given <- i
			if !yield(i) {
				return
			}
		}
	}
	for i := range data.Prefetch(t.Context(), source, 3) {
		if i == 0 {
			for k := 0; k <= 3; k++ { // 0 is here, 1 to 3 lie ready: these arrive without the loop going on
				if got := <-given; got != k {
					t.Errorf("got %d, want %d", got, k)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	type bare struct{ N int }
	type pointer struct{ X *weft.Array }
	x := weft.Arange(3)
	for _, c := range []struct {
		f    func()
		want []string
	}{
		{func() { data.Len(bare{}) }, []string{"data_test.go:", "bare", "no array"}},
		{func() { s := numbered(3); s.Label = s.Label[:2]; data.Len(s) }, []string{".X has 3", ".Label has 2"}},
		{func() { data.Len(weft.Scalar(1)) }, []string{"the data set", "no axis"}},
		{func() { data.Len(set{}) }, []string{".X", "zero Array"}},
		{func() { data.Len(pointer{&x}) }, []string{".X", "*weft.Array", "data:"}},
		{func() { data.Len([]any{x}) }, []string{"cannot hold"}},
		{func() { data.Slice(x, 1, 4) }, []string{"1 to 4", "3"}},
		{func() { data.Take(x, []int{0, 3}) }, []string{"no example 3", "3"}},
		{func() { data.Split(x, 4, 0) }, []string{"4", "3"}},
		{func() { data.Batches(x, 0, data.KeepRest) }, []string{"Batches", "not 0"}},
		{func() { data.Batches(x, 1, 7) }, []string{"DropRest"}},
		{func() { data.Prefetch(t.Context(), data.Batches(x, 1, data.KeepRest), 0) }, []string{"Prefetch", "not 0"}},
	} {
		_, err := weft.Try(func() int { c.f(); return 0 })
		if err == nil {
			t.Errorf("no error with %q", c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v\nholds no %q", err, w)
			}
		}
	}
}

// Examples of no bytes may be more than an i32 counts.
func TestTakeOfMany(t *testing.T) {
	x := weft.ZerosOf(weft.Bool, 1<<31+5, 0)
	if got := data.Take(x, []int{1<<31 + 4, 0}); got.Dim(0) != 2 || got.Dim(1) != 0 {
		t.Errorf("got the shape %v, want [2,0]", got.Shape())
	}
}

func TestDataBeyondMemory(t *testing.T) {
	source := slices.Values([]int{1})
	var none context.Context
	for want, f := range map[string]func(){
		"Order: ":                          func() { data.Order(1<<62, 1) },
		"Prefetch: prepares too many":      func() { data.Prefetch(context.Background(), source, 1<<62) },
		"Prefetch: the context is nil; pa": func() { data.Prefetch(none, source, 1) },
	} {
		if _, err := weft.Try(func() int { f(); return 0 }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
