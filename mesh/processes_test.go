package mesh

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/loopback"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/random"
)

// TestMain runs a process of a job instead of the tests where the variables say so.
func TestMain(m *testing.M) {
	if part := os.Getenv("WEFT_TEST_PART"); part != "" {
		rank, _ := strconv.Atoi(os.Getenv("WEFT_TEST_RANK"))
		if err := core.Catch(func() { process(part, rank, strings.Split(os.Getenv("WEFT_TEST_ADDRESSES"), ",")) }); err != nil {
			fmt.Println("error:", err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// process is what a process of a job does. It prints what all processes of jobs of any size must print.
func process(part string, rank int, addrs []string) {
	t, err := connect(rank, addrs)
	if err != nil {
		panic(err)
	}
	rank, _ = t.Rank()
	var opts []JoinOption
	if part == "late" {
		opts = append(opts, Limit(300*time.Millisecond))
	}
	err = Run(t, func() error { perform(part, rank); return nil }, opts...)
	if err != nil {
		panic(err)
	}
}

func perform(part string, rank int) {
	m := New(Axis("x", 4), Axis("y", 2))
	total := ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a, "x", "y") }, m, In(P([]string{"x", "y"})), Out(P()))
	a := weft.Arange(16.)
	switch part {
	case "programs":
		programs()
		train()
		put(rank)
		draws()
		return
	case "goldens":
		goldens()
		return
	case "lost", "killed", "panics", "late", "shape", "order":
		total(a)
		if rank == 1 {
			switch part {
			case "lost":
				os.Exit(0)
			case "killed":
				p, _ := os.FindProcess(os.Getpid())
				p.Kill()
				select {}
			case "panics":
				panic("this process fails")
			case "late":
				time.Sleep(time.Second)
			case "shape":
				a = weft.Arange(32.)
			case "order":
				ShardMap(func(a weft.Array) weft.Array { return lax.Ppermute(a, "x", ring(4, 1)...) }, m, In(P("x")), Out(P("x")))(a)
			}
		}
		fmt.Println(total(a))
	}
}

// digest prints the bits of an array.
func digest(x weft.Array) {
	b, err := x.MarshalBinary()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v %x\n", x.Shape(), sha256.Sum256(b))
}

func programs() {
	r := rand.New(rand.NewPCG(11, 29))
	for range 40 {
		g := generate(r, 4)
		if len(g.m.ir.Axes) == 2 {
			g.m.ir.Axes[1].Size = 2
		}
		f := ShardMap(g.run, g.m, In(g.specs[0], g.specs[1]), Out(g.out))
		args := g.arguments(r)
		digest(f(args[0], args[1]))
		digest(weft.Jit(f)(args[0], args[1]))
		if g.exact {
			digest(weft.Grad(func(x weft.Array) weft.Array { return f(x, args[1]).Sum() })(args[0]))
		}
	}
}

// train takes steps of gradient descent in a loop within one program.
func train() {
	r := rand.New(rand.NewPCG(5, 5))
	m := New(Axis("data", 4), Axis("model", 2))
	n := network{normal(r, 3, 8), normal(r, 8, 2)}
	x, y := normal(r, 8, 3), normal(r, 8, 2)
	loss := ShardMap(func(n network, x, y weft.Array) weft.Array {
		return lax.Pmean(weft.Square(n.apply(x, "model").Sub(y)).Mean(), "data")
	}, m, In(weft.Axes{"Up": P(nil, "model"), "Down": P("model")}, P("data"), P("data")), Out(P()))
	steps := weft.Jit(func(n network) network {
		return weft.ForI(5, func(_ weft.Array, n network) network {
			g := weft.Grad(func(n network) weft.Array { return loss(n, x, y) })(n)
			return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, n, g)
		}, n)
	})
	n = steps(n)
	digest(n.Up)
	digest(n.Down)
	digest(loss(n, x, y))
}

// put takes steps with parameters and data that lie on the devices, and prints arrays in one process alone.
func put(rank int) {
	r := rand.New(rand.NewPCG(6, 6))
	m := New(Axis("data", 4), Axis("model", 2))
	specs := weft.Axes{"Up": P(nil, []string{"model", "data"}), "Down": P([]string{"model", "data"})}
	n := Put(m, specs, network{normal(r, 3, 8), normal(r, 8, 2)})
	x, y := Put(m, P("data"), normal(r, 8, 3)), Put(m, P("data"), normal(r, 8, 2))
	loss := ShardMap(func(n network, x, y weft.Array) weft.Array {
		n.Up = lax.AllGather(n.Up, "data", 1, true)
		n.Down = lax.AllGather(n.Down, "data", 0, true)
		return lax.Pmean(weft.Square(n.apply(x, "model").Sub(y)).Mean(), "data", "model")
	}, m, In(specs, P("data"), P("data")), Out(P()))
	step := weft.Jit(func(n network, x, y weft.Array) network {
		g := weft.Grad(func(n network) weft.Array { return loss(n, x, y) })(n)
		return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, n, g)
	})
	for range 3 {
		n = step(n, x, y)
	}
	if rank == 1 {
		_ = n.Up.String()
	}
	digest(Gather(n.Up))
	digest(Gather(n).Down)
	digest(loss(n, x, y))
	digest(Gather(Put(m, P("data", "model"), Put(m, P([]string{"model", "data"}), normal(r, 8, 2)))))
}

// draws prints random numbers that differ from device to device.
func draws() {
	draw := ShardMap(func(k random.Key) weft.Array {
		k = k.FoldIn(lax.AxisIndex("x")).FoldIn(lax.AxisIndex("y"))
		return weft.Concat(0, random.Normal(k, 3), random.Uniform(k, 2))
	}, New(Axis("x", 4), Axis("y", 2)), In(P()), Out(P([]string{"x", "y"})))
	x := draw(random.New(7))
	for i := range 8 { // those of each device, drawn outside
		k := random.New(7).FoldIn(i / 2).FoldIn(i % 2)
		if want := weft.Concat(0, random.Normal(k, 3), random.Uniform(k, 2)); !x.Index(weft.R(5*i, 5*i+5)).Equal(want) {
			panic("other numbers")
		}
	}
	digest(x)
}

// runJob runs processes and returns what each printed, and whether it failed.
func runJob(t *testing.T, part string, size int) (printed []string, failed []bool) {
	t.Helper()
	addrs, err := loopback.Addresses(size)
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	printed, failed = make([]string, size), make([]bool, size)
	var wait sync.WaitGroup
	for rank := range size {
		wait.Go(func() {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(os.Environ(), "WEFT_TEST_PART="+part, "WEFT_TEST_RANK="+strconv.Itoa(rank), "WEFT_TEST_ADDRESSES="+strings.Join(addrs, ","))
			out, err := c.CombinedOutput()
			printed[rank], failed[rank] = string(out), err != nil
		})
	}
	wait.Wait()
	return printed, failed
}

// Jobs of 1, 2 and 4 processes compute the same bits.
func TestProcesses(t *testing.T) {
	var want string
	for _, size := range []int{1, 2, 4} {
		printed, failed := runJob(t, "programs", size)
		if want == "" {
			want = printed[0]
			if failed[0] || strings.Count(want, "\n") < 80 {
				t.Fatalf("one process: got %q", want)
			}
		}
		for rank, got := range printed {
			if got != want {
				t.Errorf("process %d of %d: got\n%s\nwant\n%s", rank, size, got, want)
			}
		}
	}
}

// place is the transport of a process that is alone.
type place struct {
	Transport
	rank, size int
}

func (p place) Rank() (rank, size int) { return p.rank, p.size }

func (place) Close(error) error { return nil }

// A process has the shards of its own devices: the first axis is divided among processes first.
func TestShardsOfProcess(t *testing.T) {
	m, x := New(Axis("a", 2), Axis("b", 4)), weft.Arange(8.)
	devices := func() (out []int) {
		for s := range Shards(m, P("b"), x) {
			out = append(out, s.Device)
			same(t, fmt.Sprint("the piece of ", s.Device), s.Piece, x.Index(weft.R(s.Start[0], s.Start[0]+2)))
		}
		return out
	}
	for _, c := range []struct {
		rank, size int
		want       []int
	}{
		{0, 1, []int{0, 1, 2, 3, 4, 5, 6, 7}}, {1, 2, []int{4, 5, 6, 7}}, {1, 4, []int{2, 3}}, {6, 8, []int{6}},
	} {
		leave := Join(place{rank: c.rank, size: c.size})
		if got := devices(); !slices.Equal(got, c.want) {
			t.Errorf("process %d of %d: got the devices %v, want %v", c.rank, c.size, got, c.want)
		}
		if err := leave(nil); err != nil {
			t.Error(err)
		}
	}
	if got := devices(); len(got) != 8 {
		t.Errorf("after leaving: got the devices %v, want all", got)
	}
}

// Transports without a place for the process, and more processes than devices, are refused.
func TestJoinRefusals(t *testing.T) {
	for want, transport := range map[string]Transport{"is nil": nil, "rank 2 of 2": place{rank: 2, size: 2}, "rank -1 of 1": place{rank: -1, size: 1}} {
		if err := core.Catch(func() { Join(transport) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	leave := Join(place{rank: 0, size: 3})
	defer leave(nil)
	if err := core.Catch(func() { Join(place{size: 1}) }); err == nil || !strings.Contains(err.Error(), "joined a job already") {
		t.Errorf("got %v", err)
	}
	if err := core.Catch(func() { Shards(New(Axis("a", 4)), P("a"), weft.Arange(4.)) }); err == nil || !strings.Contains(err.Error(), "divided evenly among 3 processes") {
		t.Errorf("got %v", err)
	}
}

// What goes wrong in one process is an error in the others that says where they part.
func TestProcessesThatFail(t *testing.T) {
	for _, c := range []struct {
		part string
		rank int // whose error is looked at
		want string
	}{
		{"lost", 0, "process 1 has left"},
		{"panics", 0, "process 1 has ended: this process fails"},
		{"panics", 1, "this process fails"},
		{"late", 0, "waiting for processes [1]: nothing came within 300ms"},
		{"shape", 0, "processes run different programs: process 1 is at its exchange 2"},
		{"order", 0, "processes run different programs: process 1 is at its exchange 2"},
	} {
		printed, failed := runJob(t, c.part, 2)
		if !failed[c.rank] || !strings.Contains(printed[c.rank], c.want) {
			t.Errorf("%s: process %d printed %q, want %q", c.part, c.rank, printed[c.rank], c.want)
		}
	}
}
