//go:build linux

// Command mesh measures what a mesh in one process costs more than the program without it, and how far
// exchanges overlap with computation.
//
//	go run ./bench/mesh [ROW…]
//
// Most rows have the processor time of one thread, medians of alternating runs, the peak of the
// process's resident memory, and the time of the first call, with tracing and compiling. The rows
// named overlap run a step of a perceptron of 8 layers on a transport that delays, and need a
// processor for themselves.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
)

// rows are the measurements, each of which runs in a process of its own.
var rows = []struct {
	name string
	f    func()
}{
	{"step 1", func() { step(1) }}, {"step 8", func() { step(8) }}, {"step 64", func() { step(64) }}, {"step 1024", func() { step(1024) }},
	{"forward 8", func() { forward(8) }}, {"forward 1024", func() { forward(1024) }},
	{"elementwise 8, rows", func() { elementwise(mesh.P("d")) }}, {"elementwise 8, columns", func() { elementwise(mesh.P(nil, "d")) }},
	{"collectives 1024", func() { collectives(1024) }},
	{"overlap 2, 0.3", func() { overlap(2, 0.3) }}, {"overlap 2, 0.5", func() { overlap(2, 0.5) }}, {"overlap 2, 0.6", func() { overlap(2, 0.6) }}, {"overlap 2, 4", func() { overlap(2, 4) }},
	{"overlap 4, 0.3", func() { overlap(4, 0.3) }}, {"overlap 4, 0.5", func() { overlap(4, 0.5) }}, {"overlap 4, 0.6", func() { overlap(4, 0.6) }}, {"overlap 4, 4", func() { overlap(4, 4) }},
}

const rowVariable = "WEFT_BENCH_ROW"

func main() {
	if name := os.Getenv(rowVariable); name != "" {
		for _, r := range rows {
			if r.name == name {
				r.f()
			}
		}
		return
	}
	for _, r := range rows {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], r.name) {
			continue
		}
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), rowVariable+"="+r.name, "WEFT_THREADS=1")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			log.Fatalf("%s: %v", r.name, err)
		}
		fmt.Printf("%-24s%s\n", r.name, strings.TrimSpace(string(out)))
	}
}

func normal(r *rand.Rand, dims ...int) weft.Array {
	n := 1
	for _, d := range dims {
		n *= d
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return weft.FromSlice(v, dims...)
}

// used returns the processor time that the process has used.
func used() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		log.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// compare prints the time of the first call of f, the process's memory, and the median time of a call; unless plain
// is nil, also the median time of plain.
func compare(plain, f func()) {
	began := used()
	f()
	first := used() - began
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	most := float64(u.Maxrss) / 1024
	fmt.Printf("%8.2f ms the first time, %5.0f MB at most", ms(first), most)
	var times [2][]time.Duration
	for i := range 34 {
		for k, g := range []func(){plain, f} {
			if g == nil {
				continue
			}
			began := used()
			g()
			if i >= 3 {
				times[k] = append(times[k], used()-began)
			}
		}
	}
	median := func(t []time.Duration) time.Duration { slices.Sort(t); return t[len(t)/2] }
	on := median(times[1])
	fmt.Printf(", then %8.3f ms", ms(on))
	if plain != nil {
		without := median(times[0])
		fmt.Printf(", without the mesh %8.3f ms, ratio %.3f", ms(without), float64(on)/float64(without))
	}
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

const in, hidden, out, batch = 784, 512, 16, 1024

type weights [2]weft.Array

func perceptron() (w weights, x, y weft.Array) {
	r := rand.New(rand.NewPCG(1, 1))
	return weights{normal(r, in, hidden).Mul(0.03), normal(r, hidden, out).Mul(0.05)}, normal(r, batch, in), normal(r, batch, out)
}

func apply(w weights, x weft.Array) weft.Array { return weft.Tanh(x.MatMul(w[0])).MatMul(w[1]) }

func step(n int) {
	w, x, y := perceptron()
	loss := func(w weights, x, y weft.Array) weft.Array { return weft.Square(apply(w, x).Sub(y)).Mean() }
	train := func(loss func(w weights, x, y weft.Array) weft.Array) func() {
		f := weft.Jit(func(w weights, x, y weft.Array) weights {
			g := weft.Grad(func(w weights) weft.Array { return loss(w, x, y) })(w)
			return weights{w[0].Sub(g[0].Mul(0.1)), w[1].Sub(g[1].Mul(0.1))}
		})
		return func() { f(w, x, y)[0].Index(0, 0).Float() }
	}
	compare(train(loss), train(mesh.DataParallel(mesh.New(mesh.Axis("d", n)), "d", loss)))
}

func forward(n int) {
	w, x, _ := perceptron()
	m := mesh.New(mesh.Axis("d", n))
	plain, f := weft.Jit(apply), weft.Jit(mesh.ShardMap(apply, m, mesh.In(mesh.P(), mesh.P("d")), mesh.Out(mesh.P("d"))))
	compare(func() { plain(w, x).Index(0, 0).Float() }, func() { f(w, x).Index(0, 0).Float() })
}

func elementwise(s mesh.Spec) {
	_, x, _ := perceptron()
	f := func(x weft.Array) weft.Array { return weft.Tanh(x.Mul(2).Add(1)).Mul(weft.Exp(x.Neg())) }
	plain, on := weft.Jit(f), weft.Jit(mesh.ShardMap(f, mesh.New(mesh.Axis("d", 8)), mesh.In(s), mesh.Out(s)))
	compare(func() { plain(x).Index(0, 0).Float() }, func() { on(x).Index(0, 0).Float() })
}

func collectives(n int) {
	var next [][2]int
	for i := range n {
		next = append(next, [2]int{i, (i + 1) % n})
	}
	f := weft.Jit(mesh.ShardMap(func(x weft.Array) weft.Array {
		x = x.Sub(lax.Pmean(x, "d"))
		return x.Add(lax.Ppermute(x, "d", next...)).Add(lax.PsumScatter(lax.AllGather(x, "d", 0, true), "d", 0, true))
	}, mesh.New(mesh.Axis("d", n)), mesh.In(mesh.P("d")), mesh.Out(mesh.P("d"))))
	x := normal(rand.New(rand.NewPCG(1, 1)), 4*n)
	compare(nil, func() { f(x).Index(0).Float() })
}

// echo is the transport of a process whose peers have the same data. An exchange takes perByte
// nanoseconds for each byte.
type echo struct {
	size    int
	perByte float64
	sent    *time.Duration
}

func (e echo) Rank() (rank, size int) { return 0, e.size }

func (e echo) Gather(_ context.Context, group []int, in, out []byte) error {
	began := time.Now()
	for i := range group {
		copy(out[i*len(in):], in)
	}
	return e.delay(began, len(in)*(e.size-1))
}

func (e echo) Exchange(_ context.Context, _ []int, in, out []byte) error {
	began := time.Now()
	copy(out, in)
	return e.delay(began, len(in)/e.size*(e.size-1))
}

func (e echo) Permute(_ context.Context, _, _ int, in, out []byte) error {
	began := time.Now()
	copy(out, in)
	return e.delay(began, len(in))
}

func (echo) Close(error) error { return nil }

// delay waits until the end of an exchange of a number of bytes that began at a given time. Copying is a part of it.
func (e echo) delay(began time.Time, bytes int) error {
	d := time.Duration(float64(bytes) * e.perByte)
	*e.sent += d
	for end := began.Add(d); ; { // time.Sleep is late by up to a millisecond
		left := time.Until(end)
		if left <= 0 {
			break
		}
		t := unix.NsecToTimespec(int64(left))
		unix.Nanosleep(&t, nil)
	}
	return nil
}

// overlap compares the time of a step with those of its computation alone and of its exchanges alone. The
// transport delays exchanges such that their time is that of the computation multiplied by times. Two
// processes send each other their gradients; more processes exchange sums in pieces and gather them.
func overlap(processes int, times float64) {
	const width, batch, layers, runs = 512, 256, 8, 12
	m := mesh.New(mesh.Axis("d", processes))
	r := rand.New(rand.NewPCG(1, 2))
	var w []weft.Array
	for range layers {
		w = append(w, normal(r, width, width).Mul(0.05))
	}
	x, y := normal(r, processes*batch, width), normal(r, processes*batch, width)
	loss := func(w []weft.Array, x, y weft.Array) weft.Array {
		for _, w := range w {
			x = weft.Tanh(x.MatMul(w))
		}
		return weft.Square(x.Sub(y)).Mean()
	}
	run := func(perByte float64) (least, sent time.Duration) {
		var all time.Duration
		least = time.Hour
		err := mesh.Run(echo{processes, perByte, &all}, func() error {
			parallel := mesh.DataParallel(m, "d", loss)
			step := weft.Jit(func(w []weft.Array, x, y weft.Array) []weft.Array {
				g := weft.Grad(func(w []weft.Array) weft.Array { return parallel(w, x, y) })(w)
				return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, w, g)
			})
			px, py := mesh.Put(m, mesh.P("d"), x), mesh.Put(m, mesh.P("d"), y)
			for range runs {
				before := all
				began := time.Now()
				for _, w := range step(w, px, py) {
					w.Index(0, 0).Float()
				}
				least, sent = min(least, time.Since(began)), all-before
			}
			return nil
		})
		if err != nil {
			log.Fatal(err)
		}
		return least, sent
	}
	computing, _ := run(0)
	total, sent := run(times * float64(computing) / (layers * width * width * 4) * float64(processes) / float64(2*(processes-1)))
	fmt.Printf("computes %.1f ms, exchanges %.1f ms, both %.1f ms: %.3f of the longer, %.3f of the sum",
		ms(computing), ms(sent), ms(total), float64(total)/float64(max(computing, sent)), float64(total)/float64(computing+sent))
}
