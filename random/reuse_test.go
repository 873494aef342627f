package random_test

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/random"
)

func draw(k random.Key) weft.Array { return random.Uniform(k) }

// reuses are programs that use a key twice, and what the error states.
var reuses = map[string]struct {
	f    func()
	want string
}{
	"drawn from twice": {func() { k := key(0); draw(k); draw(k) }, "is drawn from"},
	"split, then drawn from": {func() {
		k := key(0)
		k.Split()
		random.Normal(k)
	}, "was split at reuse_test.go"},
	"split twice":               {func() { k := key(0); k.Split(); k.SplitN(3) }, "is split"},
	"an element taken twice":    {func() { ks := key(0).SplitN(3); draw(ks.At(1)); draw(ks.At(-2)) }, "drawn from"},
	"an array, then an element": {func() { ks := keys(0, 3); weft.Vmap(draw)(ks); draw(ks.At(1)) }, "drawn from"},
	"one key for all of a batch": {func() {
		weft.Vmap(draw)(random.Key{Data: key(0).Data.BroadcastTo(3)})
	}, "more than once"},
	"moved about": {func() {
		ks := keys(0, 2, 3)
		draw(random.Key{Data: ks.Data.T().Index(2, 1)})
		draw(random.Key{Data: weft.Flip(ks.Data.Reshape(6)).Index(0)})
	}, "drawn from"},
	"joined": {func() {
		a, b := key(0), key(1)
		both := weft.TreeStack(a, b)
		draw(b)
		draw(both.At(1))
	}, "drawn from"},
	"within Jit": {func() {
		weft.Jit(func(k random.Key) weft.Array { return draw(k).Add(draw(k)) })(key(0))
	}, "in the call at reuse_test.go"},
	"made and used within Jit": {func() {
		weft.Jit(func(x weft.Array) weft.Array { k := key(3); return draw(k).Add(draw(k)).Add(x) })(weft.Scalar(1.))
	}, "in the call at reuse_test.go"},
	"the argument of two calls": {func() {
		k, f := key(0), weft.Jit(draw)
		f(k)
		f(k)
	}, "in the call at reuse_test.go"},
	"with a context": {func() {
		k, f := key(0), weft.Jit(func(_ context.Context, k random.Key) (weft.Array, error) { return draw(k), nil })
		for range 2 {
			if _, err := f(context.Background(), k); err != nil {
				panic(err)
			}
		}
	}, "in the call at reuse_test.go"},
	"captured, and called twice": {func() {
		k := key(0)
		f := weft.Jit(func(x weft.Array) weft.Array { return x.Add(draw(k)) })
		f(weft.Scalar(1.))
		f(weft.Scalar(2.))
	}, "in the call at reuse_test.go"},
	"taken around by a loop": {func() {
		k := key(0)
		weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { return x, draw(k) }, weft.Scalar(0), 3)
	}, "the loop"},
	"carried without a split": {func() {
		weft.ForI(3, func(_ weft.Array, k random.Key) random.Key { draw(k); return k }, key(0))
	}, "the loop"},
	"carried by while": {func() {
		type state struct {
			K random.Key
			X weft.Array
		}
		weft.While(func(s state) weft.Array { return s.X.Lt(3.) }, func(s state) state { return state{s.K, s.X.Add(draw(s.K))} }, state{key(0), weft.Zeros()})
	}, "the loop"},
	"scanned over, then drawn from": {func() {
		ks := keys(0, 5)
		weft.MapScan(draw, ks)
		draw(ks.At(4))
	}, "drawn from"},
	"in a branch and after it": {func() {
		weft.Jit(func(k random.Key, p weft.Array) weft.Array {
			x := weft.Cond(p, func() weft.Array { return draw(k) }, func() weft.Array { return weft.Zeros() })
			return x.Add(draw(k))
		})(key(0), weft.Scalar(false))
	}, "drawn from"},
	"under Grad": {func() {
		k := key(0)
		weft.Grad(func(x weft.Array) weft.Array { return x.Mul(draw(k)).Add(draw(k)) })(weft.Scalar(1.))
	}, "drawn from"},
	"under Jit of Grad": {func() {
		weft.Jit(func(k random.Key, x weft.Array) weft.Array {
			return weft.Grad(func(x weft.Array) weft.Array { return x.Mul(draw(k)).Mul(draw(k)) })(x)
		})(key(0), weft.Scalar(1.))
	}, "drawn from"},
	"under Vmap, mapped": {func() {
		weft.Vmap(func(k random.Key) weft.Array { return draw(k).Add(draw(k)) })(keys(0, 3))
	}, "drawn from"},
	"within Remat": {func() {
		weft.Jit(weft.Remat(func(k random.Key) weft.Array { return draw(k).Add(draw(k)) }))(key(0))
	}, "drawn from"},
}

// fine are programs that use every key once.
var fine = map[string]func(){
	"split":       func() { a, b := key(0).Split(); draw(a); draw(b) },
	"elements":    func() { ks := key(0).SplitN(3); draw(ks.At(0)); draw(ks.At(1)); draw(ks.At(2)) },
	"equal seeds": func() { draw(key(0)); draw(key(0)) },
	"folded in": func() {
		k := key(0)
		for i := range 3 {
			draw(k.FoldIn(i))
		}
		draw(k)
	},
	"cloned": func() { k := key(0); draw(k); draw(k.Clone()) },
	"looked at": func() {
		k := key(0)
		_ = k.String()
		k.Words()
		k.Data.Eq(k.Data)
		draw(k)
	},
	"two branches": func() {
		weft.Jit(func(k random.Key, p weft.Array) weft.Array {
			return weft.Cond(p, func() weft.Array { return draw(k) }, func() weft.Array { return random.Normal(k) })
		})(key(0), weft.Scalar(true))
	},
	"carried and split": func() {
		weft.ScanN(func(k random.Key) (random.Key, weft.Array) { k, sub := k.Split(); return k, draw(sub) }, key(0), 5)
	},
	"scanned over": func() { weft.MapScan(draw, keys(0, 5)) },
	"a loop of one iteration": func() {
		k := key(0)
		weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { return x, draw(k) }, weft.Scalar(0), 1)
	},
	"calls with new keys": func() {
		f, k := weft.Jit(draw), key(0)
		for range 3 {
			var sub random.Key
			k, sub = k.Split()
			f(sub)
		}
	},
	"behind a pointer": func() {
		step := weft.Jit(func(k *random.Key) weft.Array { next, sub := k.Split(); *k = next; return draw(sub) })
		k := key(0)
		step(&k)
		step(&k)
	},
	"a key for the whole batch": func() {
		k := key(0)
		weft.Vmap(func(k random.Key, x weft.Array) weft.Array { return x.Add(draw(k)) }, weft.In(weft.None, 0))(k, weft.Arange(3.))
	},
	"the derivative": func() {
		k := key(0)
		weft.Grad(func(x weft.Array) weft.Array { return random.UniformIn(k, 0., x) })(weft.Scalar(2.))
	},
	"Grad of Jit": func() {
		weft.Grad(weft.Jit(func(x weft.Array) weft.Array { return x.Mul(draw(key(1))) }))(weft.Scalar(2.))
	},
	"a context": func() {
		f := weft.Jit(func(_ context.Context, k random.Key) (weft.Array, error) { return draw(k), nil })
		if _, err := f(context.Background(), key(0)); err != nil {
			panic(err)
		}
	},
	"a failure uses nothing up": func() {
		k := key(0)
		if _, err := weft.Try(func() weft.Array { return lax.RandomBits(k.Data, 7) }); err == nil {
			panic("no error")
		}
		draw(k)
	},
}

func TestKeyReuse(t *testing.T) {
	for name, c := range reuses {
		t.Run(name, func(t *testing.T) {
			run := func() int { c.f(); return 0 }
			var err error
			weft.With(weft.DebugKeyReuse(true), func() { _, err = weft.Try(run) })
			if !errors.Is(err, core.ErrKeyReuse) {
				t.Fatalf("got %v, want the error", err)
			}
			t.Log(err)
			if name == "split, then drawn from" {
				lines := regexp.MustCompile(`reuse_test\.go:\d+`).FindAllString(err.Error(), -1)
				if lines[0] != lines[2] || lines[1] == lines[2] {
					t.Errorf("%v\nshould lead with the line of the second use, and name that of the first", err)
				}
			}
			if n := len(regexp.MustCompile(`reuse_test\.go:\d+`).FindAllString(err.Error(), -1)); n < 3 { // its place, and both uses
				t.Errorf("%v\nnames %d lines", err, n)
			}
			for _, w := range []string{c.want, "Split", "DebugKeyReuse"} {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%v\nholds no %q", err, w)
				}
			}
			// Without the check the program runs.
			if _, err := weft.Try(run); err != nil {
				t.Errorf("without the check: %v", err)
			}
		})
	}
	weft.With(weft.DebugKeyReuse(true), func() {
		for name, f := range fine {
			if _, err := weft.Try(func() int { f(); return 0 }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		// No sampler uses a key twice, alone, in a batch or staged.
		for name, f := range samplers {
			if _, err := weft.Try(func() int {
				one := func(k random.Key) weft.Array { return f(k, 2, 3) }
				one(key(1))
				weft.Jit(one)(key(2))
				weft.Vmap(one)(keys(3, 2))
				weft.Jit(weft.Vmap(one))(keys(4, 2))
				return 0
			}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		// Keys that were collected are forgotten: a key at the address of one is new.
		for range 3 {
			k := key(0)
			for range 2000 {
				k, _ = k.Split()
			}
			runtime.GC()
		}
	})
}
