package mesh

import (
	"context"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// alike is the transport of process 0 whose peers have the same data. It counts what the process sends.
type alike struct {
	place
	calls, bytes *int
}

func (t alike) send(n int) {
	*t.calls++
	*t.bytes += n
}

func (t alike) Gather(_ context.Context, group []int, in, out []byte) error {
	for i := range group {
		copy(out[i*len(in):], in)
	}
	if len(in) != headerBytes {
		t.send((len(group) - 1) * len(in))
	}
	return nil
}

func (t alike) Exchange(_ context.Context, group []int, in, out []byte) error {
	part := len(in) / len(group)
	for i := range group {
		copy(out[i*part:], in[:part])
	}
	t.send((len(group) - 1) * part)
	return nil
}

// Processes send each other what they need, in as few exchanges as what depends on them allows.
func TestBytes(t *testing.T) {
	m := New(Axis("d", 8))
	x := weft.Arange(8 * 512.)
	wide := weft.ZerosOf(weft.BFloat16, 8*40_000)
	for _, c := range []struct {
		name         string
		x            weft.Array
		f            func(x weft.Array) weft.Array
		calls, bytes int
	}{
		{"sums side by side", x, func(x weft.Array) weft.Array {
			return lax.Psum(x, "d").Add(lax.Psum(x.Mul(2), "d").Sum()).Add(lax.Psum(x.Sum(), "d"))
		}, 1, 3 * 4 * (512 + 512 + 1)},
		{"a sum of a sum", x, func(x weft.Array) weft.Array {
			return lax.Psum(lax.Pvary(lax.Psum(x, "d"), "d").Add(x), "d")
		}, 2, 3 * 4 * (512 + 512)},
		{"sums of two types", x, func(x weft.Array) weft.Array {
			return lax.Psum(x, "d").Add(lax.Psum(x.AsType(weft.Int32), "d").AsType(weft.Float32))
		}, 2, 3 * 4 * (512 + 512)},
		{"a sum whose parts stay", x, func(x weft.Array) weft.Array { return lax.PsumScatter(x, "d", 0, true) },
			1, 3 * 4 * 512 / 4},
		{"a sum whose elements stay", x, func(x weft.Array) weft.Array {
			return lax.PsumScatter(x.Reshape(64, 8), "d", 1, false)
		}, 1, 3 * 4 * 512 / 4},
		{"parts for all", x, func(x weft.Array) weft.Array { return lax.AllToAll(x, "d", 0, 0, true) },
			1, 3 * 4 * 2 * 512 / 4},
		// The rows of both devices, since f32 adds them up; then the sums.
		{"a large sum of 16 bits", wide, func(x weft.Array) weft.Array { return lax.Psum(x, "d") },
			2, 3 * 2 * (2*40_000/4 + 40_000/4)},
		{"what every device has", x, func(x weft.Array) weft.Array { return lax.Psum(weft.Arange(512.), "d").Add(x) }, 0, 0},
	} {
		var calls, bytes int
		leave := Join(alike{place{size: 4}, &calls, &bytes})
		y := ShardMap(func(x weft.Array) weft.Array { return lax.Pvary(c.f(x), "d").Ravel() }, m, In(P("d")), Out(P("d")))
		px := Put(m, P("d"), c.x)
		calls, bytes = 0, 0
		got := y(px)
		for s := range Shards(m, P("d"), got) {
			_ = s.Piece.String()
		}
		if err := leave(nil); err != nil {
			t.Error(err)
		}
		if calls != c.calls || bytes != c.bytes {
			t.Errorf("%s: %d exchanges of %d bytes, want %d of %d", c.name, calls, bytes, c.calls, c.bytes)
		}
	}
}

// Functions that have run outside of a job are divided among its processes, and run outside afterwards.
func TestFunctionsOutliveJobs(t *testing.T) {
	f := ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "d") }, New(Axis("d", 8)), In(P("d")), Out(P()))
	x := weft.Ones(80)
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"plain": f, "compiled": weft.Jit(f), "in a loop": weft.Jit(func(x weft.Array) weft.Array {
			return weft.ForI(2, func(_, c weft.Array) weft.Array { return f(x).Add(c) }, weft.Zeros(10))
		}),
	} {
		want := f(x)
		for range 2 {
			var calls, bytes int
			leave := Join(alike{place{size: 4}, &calls, &bytes})
			got := f(x)
			_ = got.String()
			if err := leave(nil); err != nil {
				t.Error(err)
			}
			same(t, name+", in a job", got, want)
			if calls == 0 {
				t.Errorf("%s: the processes exchange nothing", name)
			}
			same(t, name+", after it", f(x), want)
		}
	}
	leave := Join(alike{place{size: 4}, new(int), new(int)})
	ahead, err := weft.Compile(f, x)
	if err == nil {
		same(t, "compiled ahead", ahead.Call(x), f(x))
		err = leave(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := core.Catch(func() { _ = ahead.Call(x).String() }); err == nil || !strings.Contains(err.Error(), "compiled in a mesh.Run that has ended") {
		t.Errorf("compiled ahead, after its job: got %v", err)
	}
}
