package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/weft-go/weft"
)

type runner struct {
	engine, out    string
	round, threads int
	max            time.Duration
	run, skip      *regexp.Regexp
	list           bool
	// clock returns the time that has passed, by the clock or of the CPU. Samples are differences of such times.
	clock  func() time.Duration
	failed int
}

// work is the work of one call, for rates: operations, bytes and elements, 0 if they are not stated.
type work struct{ flops, bytes, elems float64 }

var columns = []string{"engine", "procs", "round", "case", "median_ns", "p10_ns", "min_ns", "n", "allocs", "alloc_bytes", "check", "flops", "load1", "note"}

// want reports whether the row is to be run. If rows are listed, it prints the name and returns false.
func (r *runner) want(name string) bool {
	if !r.run.MatchString(name) || r.skip != nil && r.skip.MatchString(name) {
		return false
	}
	if r.list {
		fmt.Println(name)
	}
	return !r.list
}

// row measures the function that setup returns; setup itself is not measured. check returns
// the mean magnitude of a call's result, which is stored; it may be nil.
func (r *runner) row(name string, w work, setup func() (call func(), check func() float64)) {
	if !r.want(name) {
		return
	}
	defer r.recover(name)
	runtime.GC()
	call, check := setup()
	t0 := time.Now()
	call()
	if first := time.Since(t0); first < 5*time.Second {
		for i := 0; i < 2 || i < 1000 && time.Since(t0)-first < 200*time.Millisecond; i++ {
			call()
		}
	}
	batch := 1
	for ; batch < 1<<20; batch *= 2 {
		t := r.clock()
		for range batch {
			call()
		}
		if r.clock()-t >= 200*time.Microsecond {
			break
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var samples []float64
	for start := r.clock(); ; {
		t := r.clock()
		for range batch {
			call()
		}
		samples = append(samples, float64((r.clock()-t).Nanoseconds())/float64(batch))
		if d := r.clock() - start; len(samples) >= 2000 || d > r.max && len(samples) >= 5 || d > 4*r.max && len(samples) >= 3 {
			break
		}
	}
	runtime.ReadMemStats(&after)
	m := measured{name: name, n: len(samples), work: w, check: math.NaN()}
	calls := float64(len(samples) * batch)
	m.allocs = float64(after.Mallocs-before.Mallocs) / calls
	m.allocBytes = float64(after.TotalAlloc-before.TotalAlloc) / calls
	if check != nil {
		m.check = check()
	}
	slices.Sort(samples)
	m.median, m.p10, m.min = quantile(samples, .5), quantile(samples, .1), samples[0]
	r.store(m)
}

// samples stores a row of times that were not measured by the method row.
func (r *runner) samples(name, note string, ns []float64) {
	slices.Sort(ns)
	r.store(measured{name: name, n: len(ns), median: quantile(ns, .5), p10: ns[0], min: ns[0], check: math.NaN(), note: note})
}

// value stores a figure that is no time. The note contains its unit.
func (r *runner) value(name, unit string, v float64) {
	r.store(measured{name: name, n: 1, median: v, p10: v, min: v, check: math.NaN(), note: unit})
}

// recover stores a row that panicked as failed: a row that cannot be run is a result.
func (r *runner) recover(name string) {
	if e := recover(); e != nil {
		r.fail(name, e)
	}
}

func (r *runner) fail(name string, e any) {
	r.failed++
	text, _, _ := strings.Cut(fmt.Sprint(e), "\n")
	r.store(measured{name: name, median: -1, p10: -1, min: -1, check: math.NaN(), note: "FAILED: " + text})
}

func quantile(sorted []float64, p float64) float64 {
	return sorted[int(p*float64(len(sorted)-1)+0.5)]
}

type measured struct {
	name               string
	median, p10, min   float64
	n                  int
	allocs, allocBytes float64
	check              float64
	work               work
	note               string
}

// store prints a row and appends it to the file.
func (r *runner) store(m measured) {
	var rates []string
	if m.work.flops > 0 {
		rates = append(rates, fmt.Sprintf("%.2f GFLOP/s", m.work.flops/m.median))
	}
	if m.work.bytes > 0 {
		rates = append(rates, fmt.Sprintf("%.2f GB/s", m.work.bytes/m.median))
	}
	if m.work.elems > 0 {
		rates = append(rates, fmt.Sprintf("%.3f ns/elem", m.median/m.work.elems))
	}
	if m.note != "" {
		rates = append(rates, m.note)
	}
	note := strings.Join(rates, " ")
	fmt.Printf("%-6s %-42s %12.0f ns  min %12.0f n=%d allocs=%.1f chk=%.6g %s\n", r.engine, m.name, m.median, m.min, m.n, m.allocs, m.check, note)
	if r.out == "" {
		return
	}
	if err := r.append(m, note); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (r *runner) append(m measured, note string) error {
	f, err := os.OpenFile(r.out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	if st, err := f.Stat(); err == nil && st.Size() == 0 {
		w.Write(columns)
	}
	load := "?"
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = strings.Fields(string(b) + " ?")[0]
	}
	g := func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
	w.Write([]string{r.engine, strconv.Itoa(r.threads), strconv.Itoa(r.round), m.name, g(m.median), g(m.p10), g(m.min), strconv.Itoa(m.n),
		g(m.allocs), g(m.allocBytes), g(m.check), g(m.work.flops), load, note})
	w.Flush()
	if err := w.Error(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func meanAbs(x weft.Array) float64 {
	if x.DType().IsComplex() {
		x = weft.Abs(x)
	}
	var sum float64
	v := weft.ToSlice[float64](x.AsType(weft.Float64))
	for _, e := range v {
		sum += math.Abs(e)
	}
	return sum / float64(len(v))
}

// jit1 measures a jitted function of one array, jit2 and jit3 of two and three.
func (r *runner) jit1(name string, w work, f func(weft.Array) weft.Array, x func() weft.Array) {
	r.row(name, w, func() (func(), func() float64) {
		g, a := weft.Jit(f), x()
		return func() { g(a) }, func() float64 { return meanAbs(g(a)) }
	})
}

func (r *runner) jit2(name string, w work, f func(x, y weft.Array) weft.Array, x, y func() weft.Array) {
	r.row(name, w, func() (func(), func() float64) {
		g, a, b := weft.Jit(f), x(), y()
		return func() { g(a, b) }, func() float64 { return meanAbs(g(a, b)) }
	})
}

func (r *runner) jit3(name string, w work, f func(x, y, z weft.Array) weft.Array, x, y, z func() weft.Array) {
	r.row(name, w, func() (func(), func() float64) {
		g, a, b, c := weft.Jit(f), x(), y(), z()
		return func() { g(a, b, c) }, func() float64 { return meanAbs(g(a, b, c)) }
	})
}
