package random_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/random"
)

// key, split and the functions after them stand for those of jax.random in the programs below.
func key(n uint64) random.Key                                { return random.New(n) }
func split(n uint64, shape ...int) weft.Array                { return lax.RandomSplit(key(n).Data, shape...) }
func keys(n uint64, shape ...int) random.Key                 { return random.Key{Data: split(n, shape...)} }
func uniform(k random.Key, dims ...int) weft.Array           { return random.Uniform(k, dims...) }
func two(k random.Key) weft.Array                            { return k.SplitN(2).Data }
func word(n ...int) weft.Array                               { return weft.Of(n...).AsType(weft.Uint32) }
func foldIn(k random.Key, i weft.Array) random.Key           { return k.FoldIn(i) }
func mapKeys[R any](f func(random.Key) R) func(random.Key) R { return weft.Vmap(f) }

// programs are the programs of jax.random in Go: each returns what its text returns.
var programs = map[string]func() any{
	"vmap(jr.key)(jnp.arange(4))": func() any { return weft.Vmap(random.FromSeed)(weft.Arange(4)) },
	"vmap(lambda i: jr.fold_in(jr.key(7), i))(jnp.arange(5))": func() any {
		return weft.Vmap(func(i weft.Array) random.Key { return key(7).FoldIn(i) })(weft.Arange(5))
	},
	"vmap(jr.split)(jr.split(jr.key(1), 3))": func() any { return mapKeys(two)(keys(1, 3)) },
	"vmap(lambda k: jr.split(k, 3))(jr.split(jr.key(1), 2))": func() any {
		return mapKeys(func(k random.Key) random.Key { return k.SplitN(3) })(keys(1, 2))
	},
	"vmap(lambda k: jr.uniform(k, (2,)))(jr.split(jr.key(3), 4))": func() any {
		return mapKeys(func(k random.Key) weft.Array { return uniform(k, 2) })(keys(3, 4))
	},
	"vmap(lambda k: jr.bits(k, (3,), 'uint8'))(jr.split(jr.key(3), 2))": func() any {
		return mapKeys(func(k random.Key) weft.Array { return random.Bits(random.As(k, weft.Uint8), 3) })(keys(3, 2))
	},
	"vmap(lambda k: jr.normal(k))(jr.split(jr.key(5), 6))": func() any {
		return mapKeys(func(k random.Key) weft.Array { return random.Normal(k) })(keys(5, 6))
	},
	"vmap(lambda k: jr.randint(k, (2,), 0, 10))(jr.split(jr.key(6), 3))": func() any {
		return mapKeys(func(k random.Key) weft.Array { return random.RandInt(k, 0, 10, 2) })(keys(6, 3))
	},
	"vmap(vmap(lambda k: jr.uniform(k)))(jr.split(jr.key(8), (2, 3)))": func() any {
		return mapKeys(mapKeys(func(k random.Key) weft.Array { return uniform(k) }))(keys(8, 2, 3))
	},
	"vmap(lambda k: jr.permutation(k, 5))(jr.split(jr.key(9), 3))": func() any {
		return mapKeys(func(k random.Key) weft.Array { return random.Permutation(k, 5) })(keys(9, 3))
	},
	"vmap(lambda k, p: jr.bernoulli(k, p))(jr.split(jr.key(10), 4), jnp.array([0., .3, .7, 1.]))": func() any {
		return weft.Vmap(func(k random.Key, p weft.Array) weft.Array { return random.Bernoulli(k, p) })(keys(10, 4), weft.Of(0., .3, .7, 1.))
	},
	"vmap(jr.fold_in)(jr.split(jr.key(2), 3), jnp.arange(3))": func() any { return weft.Vmap(foldIn)(keys(2, 3), weft.Arange(3)) },
	"vmap(jr.fold_in, in_axes=(None, 0))(jr.key(2), jnp.arange(3))": func() any {
		return weft.Vmap(foldIn, weft.In(weft.None, 0))(key(2), weft.Arange(3))
	},
	"vmap(jr.fold_in, in_axes=(0, None))(jr.split(jr.key(2), 3), 5)": func() any {
		return weft.Vmap(foldIn, weft.In(0, weft.None))(keys(2, 3), weft.Scalar(5))
	},
	"vmap(lambda k: jr.choice(k, 10, (3,), replace=False))(jr.split(jr.key(4), 2))": func() any {
		return mapKeys(func(k random.Key) weft.Array {
			return random.ChoiceFrom(k, 10, random.ChoiceConfig{Shape: []int{3}, Unique: true})
		})(keys(4, 2))
	},
	"vmap(lambda k, l: jr.categorical(k, l))(jr.split(jr.key(4), 2), jnp.array([[0., 1., 2.], [2., 1., 0.]]))": func() any {
		return weft.Vmap(func(k random.Key, l weft.Array) weft.Array { return random.Categorical(k, l) })(keys(4, 2), weft.Of(0., 1, 2, 2, 1, 0).Reshape(2, 3))
	},
	"jit(lambda k: jr.uniform(k, (3,)))(jr.key(0))": func() any {
		return weft.Jit(func(k random.Key) weft.Array { return uniform(k, 3) })(key(0))
	},
	"lax.scan(lambda k, _: (lambda ks: (ks[0], jr.uniform(ks[1])))(jr.split(k)), jr.key(0), None, length=4)": func() any {
		k, u := weft.ScanN(func(k random.Key) (random.Key, weft.Array) {
			k, sub := k.Split()
			return k, uniform(sub)
		}, key(0), 4)
		return []weft.Array{k.Data, u}
	},
	"lax.fori_loop(0, 3, lambda i, k: jr.fold_in(k, i), jr.key(0))": func() any {
		return weft.ForI(3, func(i weft.Array, k random.Key) random.Key { return k.FoldIn(i) }, key(0))
	},
	"lax.map(lambda k: jr.uniform(k, (2,)), jr.split(jr.key(0), 3))": func() any {
		return weft.MapScan(func(k random.Key) weft.Array { return uniform(k, 2) }, keys(0, 3))
	},
	"jr.key_data(jr.key(42))":                         func() any { return key(42).Words() },
	"jr.key_data(jr.split(jr.key(42), 3))":            func() any { return keys(42, 3).Words() },
	"jr.wrap_key_data(jnp.array([1, 2], jnp.uint32))": func() any { return random.Wrap(word(1, 2)) },
	"jr.wrap_key_data(jnp.arange(8, dtype=jnp.uint32).reshape(2, 2, 2))": func() any {
		return random.Wrap(weft.Iota(weft.Uint32, 0, 8).Reshape(2, 2, 2))
	},
	"str(jax.typeof(jr.key(0)))":                                  func() any { return key(0).Data.Value().Aval().String() },
	"str(jax.typeof(jr.split(jr.key(0), (2, 3))))":                func() any { return split(0, 2, 3).Value().Aval().String() },
	"str(jr.key(0).dtype)":                                        func() any { return key(0).Data.DType().String() },
	"jr.split(jr.key(0), 6).reshape(2, 3)":                        func() any { return split(0, 6).Reshape(2, 3) },
	"jr.split(jr.key(0), 6)[1]":                                   func() any { return keys(0, 6).At(1) },
	"jr.split(jr.key(0), 6)[1:4]":                                 func() any { return split(0, 6).Index("1:4") },
	"jr.split(jr.key(0), 6)[::-1]":                                func() any { return split(0, 6).Index("::-1") },
	"jr.split(jr.key(0), 6)[jnp.array([5, 0, 0])]":                func() any { return split(0, 6).Index(weft.Of(5, 0, 0)) },
	"jr.split(jr.key(0), 6)[-1]":                                  func() any { return keys(0, 6).At(-1) },
	"jnp.stack([jr.key(1), jr.key(2)])":                           func() any { return weft.TreeStack(key(1), key(2)) },
	"jnp.concatenate([jr.split(jr.key(1)), jr.split(jr.key(2))])": func() any { return weft.Concat(0, split(1, 2), split(2, 2)) },
	"jnp.where(jnp.array([True, False]), jr.split(jr.key(1)), jr.split(jr.key(2)))": func() any {
		return weft.Where(weft.Of(true, false), split(1, 2), split(2, 2))
	},
	"jnp.broadcast_to(jr.key(3), (2, 2))":         func() any { return key(3).Data.BroadcastTo(2, 2) },
	"jr.split(jr.key(3), (2, 3)).T":               func() any { return split(3, 2, 3).T() },
	"jnp.expand_dims(jr.key(3), 0)":               func() any { return key(3).Data.ExpandDims(0) },
	"jr.split(jr.key(3), 4).at[1].set(jr.key(9))": func() any { return split(3, 4).At(1).Set(key(9).Data) },
	"lax.cond(True, lambda: jr.key(1), lambda: jr.key(2))": func() any {
		return weft.Cond(weft.Scalar(true), func() random.Key { return key(1) }, func() random.Key { return key(2) })
	},
	"jr.key(1) == jr.key(1)":                func() any { return key(1).Data.Eq(key(1).Data) },
	"jr.split(jr.key(1)) == jr.key(1)":      func() any { return split(1, 2).Eq(key(1).Data) },
	"jr.normal(jr.key(42))":                 func() any { return random.Normal(key(42)) },
	"jr.normal(jr.key(0), (5,))":            func() any { return random.Normal(key(0), 5) },
	"jr.uniform(jr.key(0), (3,))":           func() any { return uniform(key(0), 3) },
	"jr.uniform(jr.key(0), 3)":              func() any { return uniform(key(0), 3) },
	"jr.split(jr.key(0))":                   func() any { return two(key(0)) },
	"jr.split(jr.key(42))":                  func() any { return two(key(42)) },
	"jr.bits(jr.key(1701), (3,))":           func() any { return random.Bits(key(1701), 3) },
	"jr.bits(jr.key(1701), (3,), 'uint8')":  func() any { return random.Bits(random.As(key(1701), weft.Uint8), 3) },
	"jr.bits(jr.key(1701), (3,), 'uint16')": func() any { return random.Bits(random.As(key(1701), weft.Uint16), 3) },
	"jr.clone(jr.key(5))":                   func() any { return key(5).Clone() },
	"jr.key_data(jr.clone(jr.key(5)))":      func() any { return key(5).Clone().Words() },
	"jax.tree.map(lambda k: jr.uniform(k), {'a': jr.key(1), 'b': jr.key(2)})": func() any {
		return []weft.Array{uniform(key(1)), uniform(key(2))}
	},
	"jax.grad(lambda x: x * jr.uniform(jr.key(0)))(2.0)": func() any {
		return weft.Grad(func(x weft.Array) weft.Array { return x.Mul(uniform(key(0))) })(weft.Scalar(2.))
	},
	"jax.grad(lambda x: jnp.sum(x * jr.normal(jr.key(0), (3,))))(2.0)": func() any {
		return weft.Grad(func(x weft.Array) weft.Array { return x.Mul(random.Normal(key(0), 3)).Sum() })(weft.Scalar(2.))
	},
	"jax.jvp(lambda l, h: jr.uniform(jr.key(0), (3,), minval=l, maxval=h), (0.0, 2.0), (1.0, 3.0))": func() any {
		type bounds struct{ L, H weft.Array }
		f := func(b bounds) weft.Array { return random.UniformIn(key(0), b.L, b.H, 3) }
		y, t := weft.JVP(f, bounds{weft.Scalar(0.), weft.Scalar(2.)}, bounds{weft.Scalar(1.), weft.Scalar(3.)})
		return []weft.Array{y, t}
	},
	"jnp.roll(jr.split(jr.key(0), 4), 1)":                   func() any { return weft.Roll(split(0, 4), 1, 0) },
	"jnp.take(jr.split(jr.key(0), 4), jnp.array([3, 1]))":   func() any { return split(0, 4).Index(weft.Of(3, 1)) },
	"lax.dynamic_slice(jr.split(jr.key(0), 4), (2,), (2,))": func() any { return lax.DynamicSlice(split(0, 4), lax.Starts(2), 2) },
	"jnp.squeeze(jr.split(jr.key(0), (1, 2)))":              func() any { return split(0, 1, 2).Squeeze() },
	"jax.nn.one_hot(jr.randint(jr.key(0), (3,), 0, 4), 4)":  func() any { return weft.OneHot(random.RandInt(key(0), 0, 4, 3), 4) },
	"jr.key(0).ndim":              func() any { return key(0).Data.Rank() },
	"jr.split(jr.key(0), 6).size": func() any { return split(0, 6).Size() },
	"jnp.asarray(jr.key(0))":      func() any { return key(0) },
}

// refused are the programs that are errors in JAX and here: see TestRefusals for their messages.
var refused = map[string]func() any{
	"jr.key(1) + 1":                   func() any { return key(1).Data.Add(1) },
	"-jr.key(1)":                      func() any { return key(1).Data.Neg() },
	"jr.key(1) * jr.key(1)":           func() any { return key(1).Data.Mul(key(1).Data) },
	"jnp.sin(jr.key(1))":              func() any { return weft.Sin(key(1).Data) },
	"jr.key(1) < jr.key(2)":           func() any { return key(1).Data.Lt(key(2).Data) },
	"jnp.sum(jr.split(jr.key(1)))":    func() any { return split(1, 2).Sum() },
	"jr.key(1.5)":                     func() any { return random.FromSeed(weft.Scalar(1.5)) },
	"jr.key(jnp.arange(3))":           func() any { return random.FromSeed(weft.Arange(3)) },
	"jr.split(jnp.arange(3))":         func() any { return random.Key{Data: weft.Arange(3)}.SplitN(2) },
	"jr.uniform(3)":                   func() any { return uniform(random.Key{Data: weft.Scalar(3)}) },
	"jr.uniform(jr.split(jr.key(0)))": func() any { return uniform(keys(0, 2)) },
	"jr.wrap_key_data(jnp.arange(3, dtype=jnp.uint32))": func() any { return random.Wrap(weft.Iota(weft.Uint32, 0, 3)) },
	"jr.wrap_key_data(jnp.arange(2))":                   func() any { return random.Wrap(weft.Arange(2)) },
	"jr.uniform(jr.key(0), (2,), 'int32')":              func() any { return random.Uniform(random.As(key(0), weft.Int32), 2) },
	"jr.randint(jr.key(0), (2,), 0, 3, 'float32')":      func() any { return random.RandInt(random.As(key(0), weft.Float32), 0, 3, 2) },
	"jr.bits(jr.key(0), (2,), 'int32')":                 func() any { return random.Bits(random.As(key(0), weft.Int32), 2) },
	"jr.choice(jr.key(0), 3, (4,), replace=False)": func() any {
		return random.ChoiceFrom(key(0), 3, random.ChoiceConfig{Shape: []int{4}, Unique: true})
	},
	"jr.normal(jr.key(0), (2,), 'int32')": func() any { return random.Normal(random.As(key(0), weft.Int32), 2) },
	"jr.fold_in(jr.key(0), -1)":           func() any { return key(0).FoldIn(-1) },
	"jr.key(0).astype('uint32')":          func() any { return key(0).Data.AsType(weft.Uint32) },
}

func TestPrograms(t *testing.T) {
	records, _ := golden.Records[struct {
		ID             int
		Fn, Src, Error string
		Check, Text    string
		Value, Out     json.RawMessage
	}](t, "jax/prng.jsonl")
	ran, without := 0, 0
	for _, r := range records {
		if r.Fn != "program" {
			continue
		}
		if f, ok := refused[r.Src]; ok {
			ran++
			if r.Error == "" {
				t.Errorf("%s is no error in JAX", r.Src)
			}
			if _, err := weft.Try(f); err == nil {
				t.Errorf("%s is no error", r.Src)
			}
			continue
		}
		f, ok := programs[r.Src]
		if !ok {
			without++
			t.Logf("no Go for %d: %s", r.ID, r.Src)
			continue
		}
		ran++
		var got []weft.Array
		switch v := f().(type) {
		case weft.Array:
			got = []weft.Array{v}
		case random.Key:
			got = []weft.Array{v.Data}
		case []weft.Array:
			got = v
		case string:
			if v != r.Text {
				t.Errorf("%s: got %s, want %s", r.Src, v, r.Text)
			}
			continue
		case int:
			var want int
			if err := json.Unmarshal(r.Value, &want); err != nil || v != want {
				t.Errorf("%s: got %d, want %s", r.Src, v, r.Value)
			}
			continue
		}
		var want golden.Arrays
		if err := json.Unmarshal(r.Out, &want); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d results, want %d", r.Src, len(got), len(want))
		}
		for i := range got {
			ulps := 0.0
			if r.Check == "close" {
				ulps = 4
			}
			if why := golden.Compare(got[i].Value(), want[i], ulps, 0); why != "" {
				t.Errorf("%d %s: %s", r.ID, r.Src, why)
			}
		}
	}
	t.Logf("%d programs, %d without", ran, without)
	if 5*without > ran {
		t.Errorf("%d of %d programs have no Go", without, ran+without)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		f    func() any
		want []string
	}{
		{refused["jr.uniform(jr.split(jr.key(0)))"], []string{"program_test.go:", "Uniform", "(2,)", "weft.Vmap", "At"}},
		{refused["jr.uniform(3)"], []string{"program_test.go:", "Uniform", "random.New", "Wrap"}},
		{refused["jr.normal(jr.key(0), (2,), 'int32')"], []string{"Normal", "i32", "AsType"}},
		{refused["jr.choice(jr.key(0), 3, (4,), replace=False)"], []string{"Choice", "4", "3"}},
		{refused["jr.fold_in(jr.key(0), -1)"], []string{"FoldIn", "-1"}},
		{func() any { return random.Normal(random.Key{}) }, []string{"program_test.go:", "zero Key", "random.New"}},
		{func() any { return key(0).At(0) }, []string{"single key", "SplitN"}},
		{func() any { return keys(0, 3).At(3) }, []string{"no key 3", "3"}},
		{func() any { return random.Normal(key(0), 2, -1) }, []string{"Normal", "(2, -1)"}},
		{func() any { return random.UniformIn(key(0), weft.Of(1., 2), 3., 4) }, []string{"UniformIn", "(2,)", "(4,)"}},
		{func() any { return random.RandInt(key(0), 0.5, 3) }, []string{"RandInt", "float64"}},
		{func() any { return random.RandInt(random.As(key(0), weft.Uint8), 0, 257) }, []string{"RandInt", "257", "u8", "255"}},
		{func() any { return random.Permutation(key(0), 2.5) }, []string{"Permutation", "2.5"}},
		{func() any { return random.Permutation(key(0), weft.Scalar(3)) }, []string{"Permutation", "Go int"}},
		{func() any {
			return weft.Grad(weft.Grad(func(a weft.Array) weft.Array { return random.Gamma(key(0), a) }))(weft.Scalar(2.))
		}, []string{"random_gamma_grad", "derivative"}},
	} {
		_, err := weft.Try(c.f)
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
