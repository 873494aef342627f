package mesh

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
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
	"github.com/weft-go/weft/internal/test/goldenfile"
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
	if part == "lives" {
		live(rank, addrs)
		return
	}
	t, err := connect(rank, addrs)
	if err != nil {
		panic(err)
	}
	rank, _ = t.Rank()
	var opts []JoinOption
	if part == "late" {
		opts = append(opts, Limit(300*time.Millisecond))
	}
	if err := Run(t, func() error { return perform(part, rank) }, opts...); err != nil {
		panic(err)
	}
}

func perform(part string, rank int) error {
	if strings.HasPrefix(part, "save ") {
		saveAs(part, rank)
		return nil
	}
	if strings.HasPrefix(part, "load") {
		loadAs(part, rank)
		return nil
	}
	m := New(Axis("x", 4), Axis("y", 2))
	total := ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a, "x", "y") }, m, In(P([]string{"x", "y"})), Out(P()))
	a := weft.Arange(16.)
	switch part {
	case "programs":
		programs()
		train()
		put(rank)
		draws()
		return nil
	case "goldens":
		goldens()
		return nil
	case "train":
		trainOn(rank)
	case "steps":
		ShardMap(func(a weft.Array) weft.Array {
			a = lax.Pvary(a.Sum(), "y")
			return weft.While(func(c weft.Array) weft.Array { return c.Lt(9) }, func(c weft.Array) weft.Array {
				return lax.Pvary(lax.Psum(c, "x"), "x")
			}, a).Reshape(1)
		}, m, In(P("x")), Out(P([]string{"x", "y"})))(a)
	case "unchecked steps", "traced steps":
		f := ShardMap(func(a weft.Array) weft.Array {
			n := lax.AxisIndex("x")
			return weft.While(func(c weft.Array) weft.Array { return c.Lt(n.Mul(20)) }, func(c weft.Array) weft.Array { return lax.Psum(c, "x") }, a.Sum()).Reshape(1)
		}, m, In(P("x")), Out(P("x")), Unchecked())
		if part == "traced steps" {
			f = weft.Jit(f)
		}
		f(a)
	case "gathers":
		cut := Put(m, P("x"), a)
		ShardMap(func(a weft.Array) weft.Array { return a.Add(Gather(cut).Sum()) }, m, In(P("x")), Out(P("x")))(a)
	case "deadline":
		if rank == 1 {
			time.Sleep(200 * time.Millisecond)
		}
		ctx, end := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer end()
		err := core.Catch(func() { weft.With(weft.Context(ctx), func() { total(a) }) })
		fmt.Println(errors.Is(err, context.DeadlineExceeded))
		return err
	case "lost", "killed", "panics", "late", "shape", "order", "program", "error", "context":
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
			case "error":
				return errors.New("the data are not there")
			case "context":
				ctx, end := context.WithCancel(context.Background())
				end()
				weft.With(weft.Context(ctx), func() { total(a) })
			case "program":
				total = ShardMap(func(a weft.Array) weft.Array { return lax.Psum(a.Sum(), "x", "y") }, m, In(P([]string{"x", "y"})), Out(P()))
			case "late":
				time.Sleep(time.Second)
			case "shape":
				a = weft.Arange(32.)
			case "order":
				ShardMap(func(a weft.Array) weft.Array { return lax.Ppermute(a, "x", ring(4, 1)...) }, m, In(P("x")), Out(P("x")))(a)
			}
		}
		fmt.Println(total(a))
	default:
		return runsPart(part, rank)
	}
	return nil
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
	// A mesh on each device of a mesh, and sums of 16 bits, large ones too.
	within := ShardMap(func(x weft.Array) weft.Array {
		inner := ShardMap(func(y weft.Array) weft.Array { return y.Add(lax.Psum(y, "y")).Sub(lax.Psum(y, "x")) }, New(Axis("y", 2)), In(P("y")), Out(P("y")))
		return inner(x).Add(lax.Psum(x, "x"))
	}, New(Axis("x", 4)), In(P("x")), Out(P("x")))
	digest(within(normal(r, 16)))
	for _, n := range []int{3, 50_000} {
		x := normal(r, 8*n).AsType(weft.BFloat16)
		m := New(Axis("x", 8))
		digest(ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "x") }, m, In(P("x")), Out(P()))(x))
		digest(ShardMap(func(x weft.Array) weft.Array {
			return lax.PsumScatter(weft.Stack(0, x, x, x, x, x, x, x, x.Neg()), "x", 0, false).Add(lax.AllToAll(weft.Stack(0, x, x, x, x, x, x.Mul(2), x, x), "x", 0, 1, true).Index(0, weft.R(0, n)))
		}, m, In(P("x")), Out(P("x")))(x))
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
	for i := range 8 { // the numbers of each device, drawn outside of ShardMap
		k := random.New(7).FoldIn(i / 2).FoldIn(i % 2)
		if want := weft.Concat(0, random.Normal(k, 3), random.Uniform(k, 2)); !x.Index(weft.R(5*i, 5*i+5)).Equal(want) {
			panic("other numbers")
		}
	}
	digest(x)
}

// trainOn takes steps from the last checkpoint on, and prints the losses. A process may kill itself.
func trainOn(rank int) {
	dir := os.Getenv("WEFT_TEST_DIR")
	kill, _ := strconv.Atoi(os.Getenv("WEFT_TEST_KILL"))
	m := New(Axis("data", 4), Axis("model", 2))
	type state struct {
		Step      weft.Array
		Net, Mean network
	}
	net := weft.Axes{"Up": P(nil, "model"), "Down": P([]string{"model", "data"})}
	specs := weft.Axes{"Step": P(), "Net": net, "Mean": net}
	r := rand.New(rand.NewPCG(5, 5))
	n := network{normal(r, 3, 8), normal(r, 8, 2)}
	s, err := Load(dir, m, specs, state{weft.Scalar(0), n, n})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s = Put(m, specs, state{weft.Scalar(0), n, weft.TreeMap(weft.ZerosLike, n)})
	case err != nil:
		panic(err)
	}
	loss := ShardMap(func(n network, x, y weft.Array) weft.Array {
		n.Down = lax.AllGather(n.Down, "data", 0, true)
		return lax.Pmean(weft.Square(n.apply(x, "model").Sub(y)).Mean(), "data")
	}, m, In(net, P("data"), P("data")), Out(P()))
	step := weft.Jit(func(s state, x, y weft.Array) (state, weft.Array) {
		l, g := weft.ValueAndGrad(func(n network) weft.Array { return loss(n, x, y) })(s.Net)
		s.Mean = weft.TreeMap2(func(m, g weft.Array) weft.Array { return m.Mul(0.9).Add(g) }, s.Mean, g)
		s.Net = weft.TreeMap2(func(p, m weft.Array) weft.Array { return p.Sub(m.Mul(0.05)) }, s.Net, s.Mean)
		s.Step = s.Step.Add(1)
		return s, l
	})
	for s.Step.Int() < 12 {
		k := s.Step.Int()
		if k == kill && rank == 2 {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			select {}
		}
		key := random.New(uint64(k))
		var l weft.Array
		s, l = step(s, Put(m, P("data"), random.Normal(key.FoldIn(0), 8, 3)), Put(m, P("data"), random.Normal(key.FoldIn(1), 8, 2)))
		fmt.Printf("%d %x\n", k, weft.ToSlice[float32](l))
		if k%3 == 2 {
			if err := Save(dir, s); err != nil {
				panic(err)
			}
		}
	}
}

// A job of 4 processes of which one is killed goes on with 2 from its checkpoint: the losses are those of a job that nothing
// disturbed.
func TestJobGoesOn(t *testing.T) {
	undisturbed, failed := runJob(t, "train", 1, "WEFT_TEST_DIR="+t.TempDir(), "WEFT_TEST_KILL=-1")
	if failed[0] || strings.Count(undisturbed[0], "\n") != 12 {
		t.Fatalf("got %q", undisturbed)
	}
	dir := t.TempDir()
	first, failed := runJob(t, "train", 4, "WEFT_TEST_DIR="+dir, "WEFT_TEST_KILL=7")
	for rank := range 4 {
		if !failed[rank] || rank != 2 && !strings.Contains(first[rank], "process 2 has left") {
			t.Errorf("process %d of the job that is disturbed: got %q", rank, first[rank])
		}
	}
	lines := strings.SplitAfter(undisturbed[0], "\n")
	// Process 0 may learn of the end while it still adds up step 6.
	if want := strings.Join(lines[:6], ""); !strings.HasPrefix(first[0], want) {
		t.Errorf("until the last checkpoint: got\n%s\nwant\n%s", first[0], want)
	}
	second, failed := runJob(t, "train", 2, "WEFT_TEST_DIR="+dir, "WEFT_TEST_KILL=-1")
	for rank := range 2 {
		if want := strings.Join(lines[6:], ""); failed[rank] || second[rank] != want {
			t.Errorf("process %d of the job that goes on: got\n%s\nwant\n%s", rank, second[rank], want)
		}
	}
}

// runJob runs processes and returns what each printed, and whether it failed.
func runJob(t *testing.T, part string, size int, env ...string) (printed []string, failed []bool) {
	t.Helper()
	addrs, err := loopback.Addresses(size)
	if err != nil {
		t.Skipf("no loopback: %v", err)
	}
	return runJobOn(t, part, size, addrs, env...)
}

// runJobOn is runJob with given addresses.
func runJobOn(t *testing.T, part string, size int, addrs []string, env ...string) (printed []string, failed []bool) {
	printed, failed = make([]string, size), make([]bool, size)
	var wait sync.WaitGroup
	for rank := range size {
		wait.Go(func() {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(append(os.Environ(), env...), "WEFT_TEST_PART="+part, "WEFT_TEST_RANK="+strconv.Itoa(rank), "WEFT_TEST_ADDRESSES="+strings.Join(addrs, ","))
			out, err := c.CombinedOutput()
			printed[rank], failed[rank] = string(out), err != nil
		})
	}
	wait.Wait()
	return printed, failed
}

// leastPrinted returns how many values a part prints at least: the subset in the repository has few goldens.
func leastPrinted(part string) int {
	if part == "goldens" && !goldenfile.Whole() {
		return 15
	}
	return 40
}

// Jobs of 1, 2 and 4 processes compute the same bits.
func TestProcesses(t *testing.T) {
	for _, part := range []string{"programs", "goldens"} {
		var want string
		for _, size := range []int{1, 2, 4} {
			printed, failed := runJob(t, part, size)
			if want == "" {
				want = printed[0]
				if failed[0] || strings.Count(want, "\n") < leastPrinted(part) {
					t.Fatalf("%s in one process: got %q", part, want)
				}
			}
			for rank, got := range printed {
				if got != want {
					t.Errorf("%s, process %d of %d: got\n%s\nwant\n%s", part, rank, size, got, want)
				}
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
		{"shape", 0, `run 2 of process 1 is another one, where line 2 is "{ lambda ; a:f32[4]{V:(x,y)}. let", and "{ lambda ; a:f32[2]{V:(x,y)}. let" here`},
		{"shape", 1, "run 2 of process 0 is another one"},
		{"order", 0, `run 2 of process 1 is another one, where line 2 is "{ lambda ; a:f32[4]{V:x}. let"`},
		{"order", 1, "run 2 of process 0 is another one"},
		{"program", 0, `where line 3 is "b:f32[]{V:(x,y)} = reduce_sum`},
		{"steps", 0, `a loop communicates along "x", and its condition differs along that axis`},
		{"unchecked steps", 0, `a loop communicates along "x", and its condition differs along that axis`},
		{"traced steps", 0, `a loop communicates along "x", and its condition differs along that axis`},
		{"gathers", 0, "a function over a mesh cannot gather an array that it closes over; gather it before, and pass it as an argument"},
		{"deadline", 0, "true\n"},
		{"error", 0, "process 1 has ended: the data are not there"},
		{"context", 0, "process 1 has ended"},
		{"context", 1, "context canceled"},
	} {
		printed, failed := runJob(t, c.part, 2)
		if !failed[c.rank] || !strings.Contains(printed[c.rank], c.want) {
			t.Errorf("%s: process %d printed %q, want %q", c.part, c.rank, printed[c.rank], c.want)
		}
	}
}
