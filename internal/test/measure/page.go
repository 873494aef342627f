package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weft-go/weft/internal/test/accuracy"
)

//go:embed xla.tsv
var xlaText string

const head = `# Accuracy

After this page you know how far a function's result may be from the true value, and where the greatest error is.
(Written by ` + "`go run ./internal/test/measure`" + `; not edited by hand.)

## The promise

In ulps: the distance of neighbouring numbers of the type at the true value.

| functions | f16, bf16 | f32 | f64 |
|---|---:|---:|---:|
| exp, exp2, log, rsqrt | 1 | 1 | 2 |
| other elementary functions | 1 | 2 | 2 |
| erf, erfc, erf_inv, lgamma, digamma | 1 | 2 | 4 |
| bessel_i0e, bessel_i1e | 1 | 3 | 5 |
| sqrt | ½ | ½ | ½ |
| rem, nextafter | 0 | 0 | 0 |

* Complex functions are within 4 ulps of the modulus. For pow of c128 that holds for exponents up to 2²⁰; for larger ones the
  angle's error counts that many times.
* Near the zeros of lgamma and digamma the promise is absolute: there an ulp of 1 counts.
* polygamma has no promise; its tests hold it to 2 ulps in f32 and 4 in f64 for orders up to 3.

## What was measured

The table below is from ` + "`go run ./internal/test/measure -run -cc`" + `. "At" is where the greatest error is, with the second argument
or the imaginary part. XLA is XLA CPU of jaxlib 0.10.2 on x86-64; its results that are flushed to zero are not counted.

| function | type | arguments | greatest error, ulp | at | mean | XLA |
|---|---|---:|---:|---|---:|---:|
`

const foot = `
## How it was measured

* f16 and bf16: every value.
* f32 functions of one argument: every one of the 2³² bit patterns. A C compiler makes a loop of the
  function's program, and the evaluator is checked to find the same at every sign and
  exponent and where the error is greatest; ` + "`go test -tags long -run TestAllFloat32 ./lower/expand`" + `
  does the same with the evaluator alone. An f64 from another library (for erf_inv, lgamma,
  digamma and Bessel functions from the f64 kernel) bounds the error, unless it is near the
  greatest: then math/big does. Of functions whose programs show them to be odd or even
  only half of the arguments are computed.
* f64 functions of one argument: a third of the arguments among usual ones, a third with
  all exponents alike, a third near edges: multiples of π/4, of ½ and of ½·log 2, powers of
  two and their roots, zeros of the gamma functions. The truth is a sum of two f64, good to
  80 bits and more, and math/big where that does not reach.
* Functions of two arguments: random ones of all exponents, near one another, near
  multiples, powers near the ends of the range. abs is the modulus of a complex number.
* Complex functions: random arguments with parts of very different sizes, and near zeros,
  poles and the unit circle, against math/big.

Measuring goes part by part, and the column of arguments shows how far it has come: each of
16 parts adds 625,000 f64, 6,250,000 pairs of f32 or 6,250 complex numbers.

The truths are themselves tested: sums of two against math/big, that against mpmath.
`

const libraries = `
## Packages special and stats

Written by ` + "`go test ./special ./stats -run TestAccuracy -update`" + `, at random arguments of each type. The truth is mpmath's, to 60 digits or more. The same
test requires at most 4 units in f32 and 8 in f64, and of SphHarm 16. A unit is an ulp of the exact value, with these exceptions:

* of BetaLn and MultiGammaln, which have zeros, and of SphHarm at least one of 1, of RelEntr and KlDiv at least one of the operands, and of Beta one of the largest
  logarithm of a gamma function times the value;
* of logarithms of densities one of the sum of the sizes of their terms, and at least of 1;
* of other methods of distributions it counts 1 + |log |y|| times, of densities 1 and the sum of those terms: they end in an exponential or a
  logarithm of a rounded argument.

"At" is where the greatest error is: the arguments, or the point and the parameters in the order of the fields.

| function | type | arguments | greatest error, units | at | mean |
|---|---|---:|---:|---|---:|
`

// pageOf returns docs/accuracy.md, from the records below the root of the repository. Every figure must have been
// measured, at least in part, of the program that the function now has.
func pageOf(root string) ([]byte, error) {
	m, err := read(filepath.Join(root, records))
	if err != nil {
		return nil, err
	}
	xla := readXLA()
	var b strings.Builder
	b.WriteString(head)
	for _, g := range accuracy.Figures() {
		r := accuracy.RecordOf(m, g)
		if r.Parts == 0 {
			return nil, fmt.Errorf("%s has not been measured since it was changed; go run ./internal/test/measure -run '%s'", g.Key(), g.Key())
		}
		b.WriteString(row(g, r, xla[g.Key()]))
	}
	b.WriteString(foot)
	b.WriteString(libraries)
	for _, lib := range []string{"special", "stats"} {
		text, err := os.ReadFile(filepath.Join(root, lib, "testdata", "accuracy.tsv"))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fmt.Fprintf(&b, "| %s |\n", strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", " | "))
		}
	}
	return []byte(b.String()), nil
}

// row returns a line of the table.
func row(g accuracy.Figure, r accuracy.Record, xla string) string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 9, 64) }
	at := number(r.At)
	if r.At2 != 0 {
		at += ", " + number(r.At2)
	}
	worst := fmt.Sprintf("%.3f", r.Max)
	if r.Wrong > 0 {
		worst += fmt.Sprintf(" (%d of the wrong kind)", r.Wrong)
	}
	n := strconv.Itoa(r.N)
	switch {
	case g.All != nil && r.Parts == g.Parts:
		n = "all"
	case g.All != nil:
		n = fmt.Sprintf("%d/16 of all", r.Parts)
	}
	return fmt.Sprintf("| %s | %v | %s | %s | %s | %.3f | %s |\n", g.Name, g.DType, n, worst, at, r.Mean, xla)
}

func readXLA() map[string]string {
	m := make(map[string]string)
	for _, line := range strings.Split(strings.TrimSpace(xlaText), "\n") {
		f := strings.Split(line, "\t")
		m[f[0]+" "+f[1]] = f[2]
	}
	return m
}
