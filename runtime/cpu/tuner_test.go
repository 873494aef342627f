//go:build linux

package cpu

import (
	"bytes"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime"
)

// warnings collects what is logged until the test ends.
func warnings(t *testing.T) *bytes.Buffer {
	var b bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&b, nil)))
	t.Cleanup(func() { slog.SetDefault(old) })
	return &b
}

// counted returns a tuner whose searches find c and are counted.
func counted(path, chip string, c schedule) (t *tuner, searches *int) {
	t, searches = newTuner(path, chip), new(int)
	t.product = func(*fuse.Product, amd64.ISA, int) schedule { *searches++; return c }
	t.conv = func(*fuse.Conv, amd64.ISA, int) schedule { *searches++; return c }
	return t, searches
}

// plain samples of a product and a convolution.
func tunedSamples(t *testing.T) []*sample {
	d := core.MakeDims
	r := rand.New(rand.NewPCG(1, 22))
	return []*sample{
		newSample(t, r, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, core.Aval(core.Float32, 30, 200), core.Aval(core.Float32, 200, 40)),
		newSample(t, r, prim.ConvP{Strides: d(1, 1), Padding: d(0, 0, 0, 0), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1),
			OutSpec: d(0, 3, 1, 2), FeatureGroups: 1, BatchGroups: 1}, core.Aval(core.Float32, 1, 8, 9, 20), core.Aval(core.Float32, 3, 3, 20, 17)),
	}
}

// runTuned runs the samples under a tuner.
func runTuned(t *testing.T, u *tuner, samples []*sample) {
	t.Helper()
	for _, e := range scheduled(t) {
		e.product, e.conv = u.planProduct, u.planConv
		for _, s := range samples {
			s.run(t, e, runtime.Options{Threads: 1}, schedule{})
		}
	}
}

// A shape is searched once, by any process of this chip; entries of others stay.
func TestTunedSchedulesAreKept(t *testing.T) {
	logged := warnings(t)
	samples := tunedSamples(t)
	path := filepath.Join(t.TempDir(), "tuned")
	first, n := counted(path, "one", schedule{Rows: 3, Vecs: 1, Deep: 128})
	runTuned(t, first, samples)
	searches := *n
	if want := len(samples) * len(scheduled(t)); searches != want {
		t.Errorf("got %d searches, want %d", searches, want)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	second, n := counted(path, "one", schedule{})
	runTuned(t, second, samples)
	if *n != 0 {
		t.Errorf("got %d searches of known shapes, want none", *n)
	}
	other, n := counted(path, "two", schedule{Rows: 2, Vecs: 1})
	runTuned(t, other, samples)
	if *n != searches {
		t.Errorf("got %d searches on another chip, want %d", *n, searches)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the file's permissions changed: got %v (%v), want 0644", info, err)
	}
	if third := newTuner(path, "one"); len(third.known) != 2*searches {
		t.Errorf("got %d entries, want %d", len(third.known), 2*searches)
	}
	if logged.Len() > 0 {
		t.Errorf("got the warning %s", logged)
	}
}

// Files that are corrupt, foreign or cannot be written are left alone with one warning;
// schedules that no plan can follow are left aside. Results are the same.
func TestTuningFilesOfAnyContents(t *testing.T) {
	samples := tunedSamples(t)
	dir := t.TempDir()
	u, _ := counted(filepath.Join(dir, "good"), "chip", schedule{Rows: 4, Vecs: 2})
	runTuned(t, u, samples)
	good, err := os.ReadFile(u.path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text  string
		warns int
	}{
		"empty":         {"", 1},
		"cut short":     {string(good[:len(good)/2]), 1},
		"blank line":    {"\nnotes of a user\n", 1},
		"foreign":       {`{"name": "package", "version": "1.0"}`, 1},
		"list":          {"[1, 2]", 1},
		"last line cut": {string(good[:bytes.LastIndexByte(good[:len(good)-1], '\n')+1]), 1},
		"more lines":    {string(good) + string(good[bytes.IndexByte(good, '\n')+1:]), 1},
		"unknown field": {strings.ReplaceAll(string(good), "\trows=4", "\tcolumns=4"), 1},
		"no number":     {strings.ReplaceAll(string(good), "\trows=4", "\trows=four"), 1},
		"newer":         {strings.Replace(string(good), tuningFormat, "weft tuning 99", 1), 1},
		"too many rows": {strings.ReplaceAll(string(good), "\trows=4", "\trows=400"), 0},
		"no vectors":    {strings.ReplaceAll(string(good), "\tvecs=2", "\tvecs=-1"), 0},
		"rows alone":    {strings.ReplaceAll(string(good), "\tvecs=2", "\tdeep=128"), 0},
		"great depth":   {strings.ReplaceAll(string(good), "\tvecs=2", "\tvecs=2\tdeep=4611686018427387904\tpanel=4611686018427387904"), 0},
		"negative":      {strings.ReplaceAll(string(good), "\trows=4", "\tdeep=-5"), 0},
		"no choice":     {strings.ReplaceAll(string(good), "\trows=4", "\tright=maybe"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			logged := warnings(t)
			path := filepath.Join(t.TempDir(), "tuned")
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			u, _ := counted(path, "chip", schedule{Rows: 2, Vecs: 1})
			runTuned(t, u, samples)
			if n := strings.Count(logged.String(), "level=WARN"); n != c.warns {
				t.Errorf("got %d warnings, want %d: %s", n, c.warns, logged)
			}
			if data, err := os.ReadFile(path); err != nil || c.warns > 0 && string(data) != c.text {
				t.Errorf("the file changed (%v)", err)
			}
		})
	}
	for name, path := range map[string]string{"folder": dir, "folder that does not exist": filepath.Join(dir, "a", "b")} {
		t.Run(name, func(t *testing.T) {
			logged := warnings(t)
			u, _ := counted(path, "chip", schedule{})
			runTuned(t, u, samples)
			if n := strings.Count(logged.String(), "level=WARN"); n != 1 {
				t.Errorf("got %d warnings, want 1: %s", n, logged)
			}
		})
	}
}

// The search works on memory of the sizes that operands and results have.
func TestTuningMemory(t *testing.T) {
	d := core.MakeDims
	r := rand.New(rand.NewPCG(2, 22))
	group := prim.ConvP{Strides: d(2, 1), Padding: d(1, 1, 1, 1), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1),
		OutSpec: d(0, 3, 1, 2), FeatureGroups: 1, BatchGroups: 2}
	samples := append(tunedSamples(t),
		newSample(t, r, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(2), LhsBatch: d(0), RhsBatch: d(0)}, core.Aval(core.Float64, 3, 40, 20), core.Aval(core.Float64, 3, 30, 40)),
		newSample(t, r, group, core.Aval(core.Float32, 4, 18, 19, 20), core.Aval(core.Float32, 3, 3, 20, 18)))
	for _, s := range samples {
		want := []int{len(s.args[0].Tensor().Data), len(s.args[1].Tensor().Data), len(s.want)}
		checked := 0
		for _, e := range scheduled(t) {
			e.product = func(p *fuse.Product, isa amd64.ISA, threads int) (*productPlan, error) {
				if got := productBytes(p, tileElems[p.Type].Size()); !slices.Equal(got, want) {
					t.Errorf("%v: got %d bytes, want %d", p, got, want)
				}
				checked++
				return planProduct(p, isa, threads)
			}
			e.conv = func(c *fuse.Conv, isa amd64.ISA, threads int) (*convPlan, error) {
				if got := convBytes(c, tileElems[c.Type].Size()); !slices.Equal(got, want) {
					t.Errorf("%v: got %d bytes, want %d", c, got, want)
				}
				checked++
				return planConv(c, isa, threads)
			}
			s.run(t, e, runtime.Options{Threads: 1}, schedule{})
		}
		if checked == 0 {
			t.Errorf("%v has no product", s.program)
		}
	}
}

// The search itself finds a schedule that a plan can follow.
func TestTuningSearch(t *testing.T) {
	u := newTuner(filepath.Join(t.TempDir(), "tuned"), "chip")
	runTuned(t, u, tunedSamples(t))
	if len(u.known) == 0 {
		t.Error("no schedule was kept")
	}
}

// countedRuns is a step that counts its runs.
type countedRuns int

func (n *countedRuns) run(*execution, *frame) error { *n++; return nil }

// A search whose time is over runs a product that takes long twice, and the plan's own schedule
// needs no confirmation.
func TestTuningTime(t *testing.T) {
	var runs countedRuns
	h := &search{step: func(schedule) (step, error) { return &runs, nil }, end: time.Now().Add(-time.Second), times: map[schedule]float64{}}
	if !h.start() || h.best(schedule{}, schedule{Few: no}) != (schedule{}) || h.confirmed(schedule{}) != (schedule{}) || runs != 2 {
		t.Errorf("got %d runs, want 2", runs)
	}
}

// Tuners of several processes that write one file at the same time lose no entry, also where a
// process ended and left its lock file.
func TestTuningFileOfManyWriters(t *testing.T) {
	logged := warnings(t)
	path := filepath.Join(t.TempDir(), "tuned")
	if err := os.WriteFile(path+".lock", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const writers, each = 8, 25
	var all sync.WaitGroup
	for w := range writers {
		u := newTuner(path, "chip")
		all.Go(func() {
			for i := range each {
				u.add(tunedShape{"chip", "avx2", w, strconv.Itoa(i)}, schedule{Rows: i, Vecs: 1})
			}
		})
	}
	all.Wait()
	if n := len(newTuner(path, "chip").known); n != writers*each {
		t.Errorf("got %d entries, want %d", n, writers*each)
	}
	if logged.Len() > 0 {
		t.Errorf("got the warning %s", logged)
	}
}

// A lock that another process keeps ends the wait when its time is over, and a lock file that is
// no file ends it at once.
func TestLockedTuningFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lockFile(path, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockFile(path, time.Now()); err == nil || !strings.Contains(err.Error(), "another process keeps") {
		t.Errorf("got %v, want that another process keeps it locked", err)
	}
	unlock()
	unlock, err = lockFile(path, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if _, err := lockFile(t.TempDir(), time.Now()); err == nil {
		t.Error("a directory was locked")
	}
}

// A known shape does not wait for the search of another one.
func TestKnownShapesDoNotWait(t *testing.T) {
	u := newTuner(filepath.Join(t.TempDir(), "tuned"), "chip")
	want := schedule{Rows: 2, Vecs: 1}
	u.schedule(amd64.AVX2, 1, "known", func() schedule { return want })
	u.schedule(amd64.AVX2, 1, "another", func() schedule {
		got := u.schedule(amd64.AVX2, 1, "known", func() schedule { panic("searched again") })
		if got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		return schedule{}
	})
}
