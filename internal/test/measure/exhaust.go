package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weft-go/weft/internal/test/accuracy"
	"github.com/weft-go/weft/lower/scalar"
)

//go:embed harness.c.txt
var harness string

const prelude = `#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline float float_of(uint32_t u) { union { uint32_t u; float f; } v = {u}; return v.f; }
static inline double double_of(uint64_t u) { union { uint64_t u; double f; } v = {u}; return v.f; }
static inline uint32_t bits_of_float(float f) { union { float f; uint32_t u; } v = {f}; return v.u; }
static inline uint64_t bits_of_double(double f) { union { double f; uint64_t u; } v = {f}; return v.u; }
static inline float scale_float(float x, float n) { int32_t k = (int32_t)n, h = k >> 1; return x * float_of((uint32_t)(h + 127) << 23) * float_of((uint32_t)(k - h + 127) << 23); }
static inline double scale_double(double x, double n) { int64_t k = (int64_t)n, h = k >> 1; return x * double_of((uint64_t)(h + 1023) << 52) * double_of((uint64_t)(k - h + 1023) << 52); }

`

// library contains the functions that C's own library computes for many f64 at once, to 4 ulps;
// erf_inv, lgamma, digamma and Bessel functions are measured against their f64 programs.
var library = map[string]string{
	"exp": "exp(v)", "exp2": "exp2(v)", "expm1": "expm1(v)", "log": "log(v)", "log1p": "log1p(v)", "tanh": "tanh(v)",
	"logistic": "1 / (1 + exp(-v))", "sin": "sin(v)", "cos": "cos(v)", "tan": "tan(v)", "asin": "asin(v)", "acos": "acos(v)",
	"atan": "atan(v)", "sinh": "sinh(v)", "cosh": "cosh(v)", "asinh": "asinh(v)", "acosh": "acosh(v)", "atanh": "atanh(v)",
	"sqrt": "sqrt(v)", "rsqrt": "1 / sqrt(v)", "cbrt": "cbrt(v)", "erf": "erf(v)", "erfc": "erfc(v)",
}

// measureInC measures f at the given parts of all f32 with programs translated to C, since
// the evaluator would take an hour or two for all functions. It checks that the evaluator
// finds the same at every stretch of arguments and at the worst ones.
func measureInC(f accuracy.Function, from, to int) (r accuracy.Result, err error) {
	text, err := program(f)
	if err != nil {
		return r, err
	}
	out, err := compileAndRun(text, from, to)
	if err != nil {
		return r, err
	}
	stretches := f.Stretches()
	var x, y []float32
	var sum float64
	var over, wrong int
	var first uint32
	s := bufio.NewScanner(bytes.NewReader(out))
	k := 0
	for s.Scan() {
		line := s.Text()
		var a, b uint64
		switch {
		case strings.HasPrefix(line, "hash "):
			fmt.Sscanf(line, "hash %d %d", &a, &b)
			if uint64(stretches[k].First)+uint64(from) != a || hashOf(f, uint32(a)) != b {
				return r, fmt.Errorf("the evaluator and C do not agree on arguments from %#x on; compare the two functions there", a)
			}
			k++
		case strings.HasPrefix(line, "at "):
			fmt.Sscanf(line, "at %d %d", &a, &b)
			x, y = append(x, math.Float32frombits(uint32(a))), append(y, math.Float32frombits(uint32(b)))
		case strings.HasPrefix(line, "total "):
			fmt.Sscanf(line, "total %d %g %d %d %d", &r.N, &sum, &over, &wrong, &first)
		}
	}
	if k != len(stretches) || r.N != (to-from)<<32/accuracy.Parts {
		return r, fmt.Errorf("looked at %d arguments in %d stretches of %d; measure again", r.N, k, len(stretches))
	}
	for i, v := range f.Apply(x) {
		if math.Float32bits(v) != math.Float32bits(y[i]) {
			return r, fmt.Errorf("%g is %g in C and %g with the evaluator; correct one of the two", x[i], y[i], v)
		}
	}
	w := f.Worst(x, y)
	r.Max, r.At = w.Max, w.At
	r.Mean, r.Within1 = sum/float64(r.N), 1-float64(over)/float64(r.N)
	r.Wrong, r.FirstAt = wrong, float64(math.Float32frombits(first))
	return r, nil
}

// hashOf returns the number that harness.c.txt prints for the results from first on.
func hashOf(f accuracy.Function, first uint32) (h uint64) {
	x := make([]float32, 4096)
	for i := range x {
		x[i] = math.Float32frombits(first + uint32(i)*accuracy.Parts)
	}
	for _, v := range f.Apply(x) {
		b := math.Float32bits(v)
		if v != v {
			b = 0x7fc00000
		}
		h = h*31 + uint64(b)
	}
	return h
}

// program returns the text of a program in C that measures f.
func program(f accuracy.Function) (string, error) {
	var b, table strings.Builder
	b.WriteString(prelude)
	if e, ok := library[f.Name]; ok {
		name := strings.TrimPrefix(strings.TrimPrefix(e, "1 / (1 + "), "1 / ")
		name = name[:strings.Index(name, "(")]
		if name != "sqrt" {
			fmt.Fprintf(&b, "#pragma omp declare simd notinbranch\ndouble %s(double);\n", name)
		}
		fmt.Fprintf(&b, "static void near_(const double *restrict x, double *restrict y, int n) {\n#pragma omp simd\n  for (int i = 0; i < n; i++) {\n    double v = x[i];\n    y[i] = %s;\n  }\n}\n", e)
	} else {
		text, err := translate("near_", f.Program64(), scalar.F64, scalar.F64)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	names := map[string]string{}
	for _, s := range f.Stretches() {
		key := s.Prog.String()
		name, ok := names[key]
		if !ok {
			name = fmt.Sprintf("f%d", len(names))
			names[key] = name
			text, err := translate(name, s.Prog, scalar.F32, scalar.F32)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		}
		fmt.Fprintf(&table, "  {%du, %d, %d, %s},\n", s.First, s.N, s.Weight, name)
	}
	fmt.Fprintf(&b, "static const double unit = %g;\nstatic const struct { uint32_t first; int n, weight; void (*f)(const float *, float *, int); } stretches[] = {\n%s};\n", f.Unit, table.String())
	fmt.Fprintf(&b, "#define PARTS %d\n", accuracy.Parts)
	b.WriteString(harness)
	return b.String(), nil
}

func compileAndRun(text string, from, to int) ([]byte, error) {
	dir, err := os.MkdirTemp("", "exhaust")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, binary := filepath.Join(dir, "f.c"), filepath.Join(dir, "f")
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		return nil, err
	}
	// Nothing fused, nothing reordered, integers that wrap.
	cc := exec.Command("cc", "-O3", "-march=native", "-fopenmp-simd", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fwrapv", "-o", binary, source, "-lmvec", "-lm")
	if out, err := cc.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	run := exec.Command(binary, strconv.Itoa(from), strconv.Itoa(to))
	run.Stderr = os.Stderr
	return run.Output()
}
