package mesh

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/loopback"
	"github.com/weft-go/weft/lax"
)

var lived = flag.Int("lives", 3, "how many random lives of arrays to check")

// An array that was cut lives on: it is used outside of jobs, and in others than the one that cut it. Each
// use has the values of the whole array, or is the error of an array whose other pieces are gone.

// lives is what four processes do, alone and in jobs of some of them, each in the same order.
type lives struct {
	r        *rand.Rand
	me       int      // the number of the process
	first    int      // that of the first one of its job
	addrs    []string // not used yet
	dir      string
	arrays   []life
	m        []Mesh
	jitted   func(x, y weft.Array) weft.Array // over arrays that may be cut
	sums     []func(x weft.Array) weft.Array  // over each mesh, by jitted and plain functions
	run      int                              // the number of the job that the process is in, 0 for none
	size     int                              // how many processes it has
	uses     int
	refusals int
}

// A life is an array, and where it was cut.
type life struct {
	whole, cut weft.Array
	m          int // the number of its mesh
	s          Spec
	run        int // of the job in which it was cut
	part       bool
}

// groups are the jobs that the processes form, one after the other: each process is in one of them.
var groups = [][][]int{{{0, 1, 2, 3}}, {{0, 1}, {2, 3}}, {{3, 2, 1, 0}}, {{2, 0}, {3, 1}}, {{0}, {1}, {2}, {3}}, {{0, 2}, {1, 3}}}

func live(me int, addrs []string) {
	seed, _ := strconv.ParseUint(os.Getenv("WEFT_TEST_SEED"), 10, 64)
	l := &lives{r: rand.New(rand.NewPCG(seed, 7)), me: me, first: me, addrs: addrs, dir: os.Getenv("WEFT_TEST_DIR"), size: 1}
	l.m = []Mesh{New(Axis("x", 4), Axis("y", 2)), New(Axis("x", 2), Axis("y", 3), Axis("z", 2)), New(Axis("y", 2), Axis("x", 4)), New(Axis("x", 2))}
	l.jitted = weft.Jit(func(x, y weft.Array) weft.Array {
		return weft.ForI(2, func(_, c weft.Array) weft.Array { return c.Mul(2).Add(y) }, x)
	})
	for _, m := range l.m {
		sum := func(x weft.Array) weft.Array { return lax.Psum(x.Mul(x), m.names()[0]).Sum() }
		f := ShardMap(sum, m, In(P(m.names()[0])), Out(P()))
		l.sums = append(l.sums, f, weft.Jit(f))
	}
	l.phase()
	order := l.r.Perm(len(groups))
	for k, i := range order {
		var ranks []int
		var addresses []string
		for _, group := range groups[i] {
			if slices.Contains(group, me) {
				ranks = group
			}
		}
		for _, p := range ranks {
			addresses = append(addresses, l.addrs[p])
		}
		l.addrs = l.addrs[4:]
		t, err := loopback.Connect(slices.Index(ranks, me), addresses, 20*time.Second)
		if err != nil {
			panic(err)
		}
		l.run, l.size, l.first = k+1, len(ranks), ranks[0]
		if err := Run(t, func() error { l.phase(); return nil }); err != nil {
			panic(err)
		}
		l.run, l.size, l.first = 0, 1, me
		l.phase()
	}
	fmt.Println(l.uses, l.refusals)
}

func (l *lives) phase() {
	for range 3 {
		l.cut()
	}
	for range 10 {
		l.use()
	}
}

// divides reports whether the processes of the job can divide a mesh.
func (l *lives) divides(m Mesh) bool {
	return core.Catch(func() { partsOf(0, l.size, m.ir.Axes) }) == nil
}

func (l *lives) spec(m Mesh) Spec {
	names := m.names()
	l.r.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	return [][]Spec{{P(names[0]), P(nil, names[0])}, {P(names[:min(2, len(names))]), P(names[0])}}[l.r.IntN(2)][l.r.IntN(2)]
}

// cut cuts one more array, on the mesh k.
func (l *lives) cut() {
	k := l.r.IntN(len(l.m))
	m := l.m[k]
	x := life{whole: weft.Round(normal(l.r, 24, 24).Mul(4)), m: k, s: l.spec(m), run: l.run}
	if !l.divides(m) {
		return
	}
	for _, p := range partsOf(0, l.size, m.ir.Axes) {
		x.part = x.part || p != nil && slices.Contains(x.s.ir.Names(), p.Axis)
	}
	x.cut = Put(m, x.s, x.whole)
	l.arrays = append(l.arrays, x)
}

// pick returns the number of an array that was cut, an old one or a new one.
func (l *lives) pick() int {
	if n := len(l.arrays); l.r.IntN(2) == 0 {
		return max(n-1-l.r.IntN(4), 0)
	}
	return l.r.IntN(len(l.arrays))
}

// use uses an array.
func (l *lives) use() {
	x := l.arrays[l.pick()]
	m := l.m[x.m]
	to := l.r.IntN(len(l.m))
	spec := l.spec(l.m[to])
	kind := l.r.IntN(11)
	plain := l.r.IntN(2)
	dir := filepath.Join(l.dir, fmt.Sprint(l.uses, "-", l.first))
	what := fmt.Sprintf("use %d, kind %d in run %d of %d, of an array that was cut on %v as %v in run %d", l.uses, kind, l.run, l.size, m, x.s, x.run)
	l.uses++
	gone := x.part && x.run != l.run
	undivided := !l.divides(m)
	equal := func(got, want weft.Array) {
		if isPlaced(got) {
			got = Gather(got)
		}
		if !got.Equal(want) {
			panic(fmt.Sprintf("%s: got\n%v\nwant\n%v", what, got, want))
		}
	}
	want := x.whole.Mul(4).Add(x.whole.Mul(3))
	var failed error
	err := core.Catch(func() {
		switch kind {
		case 0:
			undivided = false // all is here, or gone
			equal(Gather(x.cut), x.whole)
		case 1:
			n := 0
			for p := range Shards(m, x.s, x.cut) {
				equal(p.Piece, x.whole.Index(weft.R(p.Start[0], p.Start[0]+p.Piece.Dim(0)), weft.R(p.Start[1], p.Start[1]+p.Piece.Dim(1))))
				if n++; !m.here()(p.Device) {
					panic(what + ": a piece of another process")
				}
			}
			if n != m.Devices()/l.size {
				panic(fmt.Sprintf("%s: %d pieces", what, n))
			}
		case 2:
			undivided, gone = false, false
			x.printed(what)
		case 3:
			equal(x.cut.Mul(4).Add(x.whole.Mul(3)), want)
		case 4:
			equal(l.jitted(x.cut, x.whole), want)
		case 5:
			equal(weft.Jit(func(y weft.Array) weft.Array { return y.Mul(3).Add(x.cut.Mul(4)) })(x.whole), want)
		case 6:
			undivided = !l.divides(l.m[to])
			equal(Put(l.m[to], spec, x.cut), x.whole)
		case 7: // over the mesh, where it lies
			s := x.s
			f := ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x.Mul(x), s.ir.Names()...) }, m, In(s), Out(P()))
			g := weft.Grad(func(y weft.Array) weft.Array { return f(y).Sum() })
			equal(g(x.cut), x.whole.Mul(2))
		case 8: // a whole array, by a function that was used before
			gone = false
			equal(l.sums[2*x.m+plain](x.whole), x.whole.Mul(x.whole).Sum())
		case 9:
			if failed = Save(dir, x.cut); failed == nil {
				var y weft.Array
				if y, failed = Load(dir, m, x.s, x.whole); failed == nil {
					equal(y, x.whole)
				}
			}
		case 10:
			y := DataParallel(m, m.names()[0], func(w, x weft.Array) weft.Array { return w.Mul(x).Sum() })
			equal(y(weft.Scalar(float32(2)), x.whole).Mul(float32(m.Size(m.names()[0]))), x.whole.Sum().Mul(2))
		}
	})
	if kind == 10 {
		gone = false
	}
	err = errors.Join(err, failed)
	switch {
	case gone && err != nil && strings.Contains(err.Error(), "in a mesh.Run that has ended"):
		l.refusals++
	case !gone && undivided && err != nil && strings.Contains(err.Error(), "cannot be divided evenly"):
		l.refusals++
	case err != nil:
		panic(fmt.Sprintf("%s: %v", what, err))
	case gone:
		panic(fmt.Sprintf("%s: no error", what))
	}
}

var pieceLine = regexp.MustCompile(`(?m)^\[(\d+):(\d+), (\d+):(\d+)\] on devices? [0-9, ]+:\n`)

// printed checks the pieces that printing shows.
func (x life) printed(what string) {
	text := x.cut.String()
	at := pieceLine.FindAllStringSubmatchIndex(text, -1)
	if len(at) == 0 {
		panic(what + ": " + text)
	}
	for i, p := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0] - 1
		} else if k := strings.Index(text, "\nand "); k >= 0 {
			end = k
		}
		number := func(k int) int { n, _ := strconv.Atoi(text[p[2*k]:p[2*k+1]]); return n }
		want := x.whole.Index(weft.R(number(1), number(2)), weft.R(number(3), number(4))).String()
		if got := text[p[1]:end]; got != want {
			panic(fmt.Sprintf("%s: got\n%s\nwant\n%s", what, got, want))
		}
	}
}

// Arrays that are cut outside of jobs and in jobs of 1, 2 and 4 processes, on random meshes, are used at random.
func TestLivesOfArrays(t *testing.T) {
	for seed := range *lived {
		addrs, err := loopback.Addresses(4 * len(groups))
		if err != nil {
			t.Skipf("no loopback: %v", err)
		}
		printed, failed := runJobOn(t, "lives", 4, addrs, "WEFT_TEST_SEED="+strconv.Itoa(seed), "WEFT_TEST_DIR="+t.TempDir())
		for k, got := range printed {
			if failed[k] || got != printed[0] {
				t.Errorf("seed %d, process %d: got %q", seed, k, got)
			}
		}
		if t.Failed() {
			break
		}
		t.Logf("seed %d: %s", seed, printed[0])
	}
}
