// Command measure measures the accuracy of the elementwise kernels and writes
// docs/accuracy.md. Run it in the root of the repository:
//
//	go run ./lower/kernel/internal/measure [-stride 31] [-n 100000] [-slow 3000]
//
// A stride of one looks at all f32, which takes some minutes a function. The column of
// XLA is what XLA CPU of jaxlib 0.10.2 was measured to do: the greater of its errors
// over usual arguments and over all bit patterns.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/kernel/internal/accuracy"
	"github.com/weft-go/weft/lower/kernel/internal/truth"
)

//go:embed xla.tsv
var xlaText string

const head = `# Accuracy

Written by ` + "`go run ./lower/kernel/internal/measure`" + `; not edited by hand.

An ulp is the distance of neighbouring numbers of the type at the true value. The
promise: elementary functions within 1 ulp in f32, f16 and bf16 and within 2 in f64;
erf, erfc, erf_inv, lgamma and digamma within 2 and 4; complex functions within 4 ulps
of the modulus. lgamma and digamma have zeros, near which they are promised absolutely:
there an ulp of 1 counts. polygamma is promised nothing: its tests hold it to 2 ulps in
f32 and 4 in f64 for orders up to 3.

f32, f16 and bf16 are measured against the f64 kernels, those and the complex ones
against math/big. f32 stands for one argument in %d of all bit patterns, f16 and bf16
for all; f64 and complex arguments are random, half of the f64 among the usual and half
among all bit patterns. XLA is XLA CPU of jaxlib 0.10.2 on x86-64, whose results that
are flushed to zero are not counted.

| function | type | arguments | greatest error, ulp | at | mean | XLA |
|---|---|---:|---:|---|---:|---:|
`

func main() {
	stride := flag.Uint64("stride", 31, "look at one f32 in so many")
	n := flag.Int("n", 100000, "random f64 arguments a function")
	slow := flag.Int("slow", 3000, "the same where the truth is slow to find")
	out := flag.String("o", "docs/accuracy.md", "file to write")
	all := flag.Bool("f32", false, "measure functions of f32 (those that are named, else all of them) at all arguments")
	exhaustive := flag.Bool("cc", false, "the same with a C compiler, several times as fast")
	parts := flag.Int("parts", accuracy.Parts, "with -f32: measure so many of 16 parts of the arguments")
	flag.Parse()
	log.SetFlags(log.Ltime)
	if *exhaustive {
		if err := exhaust(flag.Args(), *parts); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *all {
		if err := measureFloat32(flag.Args(), *parts); err != nil {
			log.Fatal(err)
		}
		return
	}
	t := table{xla: readXLA()}
	fmt.Fprintf(&t.b, head, *stride)
	for _, f := range accuracy.Functions() {
		k := *n
		if f.Slow {
			k = *slow
		}
		t.row(f.Name, core.Float32, f.Float32(0, *stride, 1<<32), "")
		t.row(f.Name, core.Float16, f.Half(core.Float16), "")
		t.row(f.Name, core.BFloat16, f.Half(core.BFloat16), "")
		t.row(f.Name, core.Float64, f.Float64(k, 21), "")
	}
	for _, f := range accuracy.BinaryFunctions() {
		for _, dt := range []core.DType{core.Float32, core.Float64} {
			t.row(f.Name, dt, f.Measure(dt, *n, 21), "")
		}
	}
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for _, f := range accuracy.ComplexFunctions() {
			r, at := f.Measure(dt, *slow, 21)
			t.row(f.Name, dt, r, fmt.Sprint(at))
		}
		for _, f := range []struct {
			p core.Primitive
			t func(p uint, z, w truth.C) truth.C
		}{{prim.MulP{}, truth.MulC}, {prim.DivP{}, truth.DivC}, {prim.PowP{}, truth.PowC}} {
			r, at := accuracy.Pair2(f.p, f.t, dt, *slow, 21)
			t.row(f.p.Name(), dt, r, fmt.Sprint(at))
		}
	}
	if err := os.WriteFile(*out, []byte(t.b.String()), 0o666); err != nil {
		log.Fatal(err)
	}
}

type table struct {
	b   strings.Builder
	xla map[string]string
}

// row writes a line; at is where the greatest error is, if the result does not say.
func (t *table) row(name string, dt core.DType, r accuracy.Result, at string) {
	if at == "" {
		at = strconv.FormatFloat(r.At, 'g', 7, 64)
	}
	worst := fmt.Sprintf("%.3f", r.Max)
	if r.Wrong > 0 {
		worst += fmt.Sprintf(" (%d of the wrong kind)", r.Wrong)
	}
	x := t.xla[name+" "+dt.String()]
	fmt.Fprintf(&t.b, "| %s | %v | %d | %s | %s | %.3f | %s |\n", name, dt, r.N, worst, at, r.Mean, x)
	log.Printf("%s %v %s", name, dt, worst)
}

func readXLA() map[string]string {
	m := make(map[string]string)
	for _, line := range strings.Split(strings.TrimSpace(xlaText), "\n") {
		f := strings.Split(line, "\t")
		m[f[0]+" "+f[1]] = f[2]
	}
	return m
}
