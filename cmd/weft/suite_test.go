package main

import (
	"bytes"
	"encoding/json"
	"math/cmplx"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
)

// suiteExceptions reads testdata/suite.txt: the records of JAX's own tests that this command cannot run or that
// have other results, under headings that state the reason and how many there are.
func suiteExceptions(t *testing.T) map[string]bool {
	t.Helper()
	b, err := os.ReadFile("testdata/suite.txt")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile(`^(\d+) programs?, (\d+) derivatives?: .`)
	listed := map[string]bool{}
	for _, part := range strings.Split(strings.TrimSpace(string(b)), "\n\n")[1:] {
		lines := strings.Split(part, "\n")
		if !heading.MatchString(lines[0]) {
			t.Fatalf("heading %q is not of the form %v", lines[0], heading)
		}
		var n [2]int
		for _, id := range strings.Fields(strings.Join(lines[1:], " ")) {
			if listed[id] {
				t.Errorf("%s is listed twice", id)
			}
			listed[id] = true
			if strings.Contains(id, ":") {
				n[1]++
			} else {
				n[0]++
			}
		}
		var want [2]int
		json.Unmarshal([]byte("["+heading.FindStringSubmatch(lines[0])[1]+","+heading.FindStringSubmatch(lines[0])[2]+"]"), &want)
		if n != want {
			t.Errorf("%q: the list has %d programs and %d derivatives", lines[0], n[0], n[1])
		}
	}
	return listed
}

// The programs that testdata/suite.txt lists fail, and no other programs do. Tested are all programs of the subset in
// testdata; or, of the whole suite, the listed programs and every 64th other program.
func TestSuiteExceptions(t *testing.T) {
	listed := suiteExceptions(t)
	seen, file, i, tried := 0, filepath.Join(t.TempDir(), "p"), 0, map[string]bool{}
	for r := range goldenfile.Records[struct {
		ID, Text string
		In       []json.RawMessage
		Out      golden.Arrays
	}](t, goldenfile.Open(t, "jax/suite/programs.jsonl.gz", "testdata/suite.jsonl")) {
		if i++; goldenfile.Whole() && !listed[r.ID] && farther[r.ID].why == "" && i%64 != 0 {
			continue
		}
		seen++
		tried[r.ID] = true
		if err := os.WriteFile(file, []byte(r.Text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		agrees, errs := suiteAgrees(t, file, r.ID, r.Text, r.In, r.Out)
		if agrees == listed[r.ID] {
			t.Errorf("%s: agrees with JAX: %t, listed: %t %s", r.ID, agrees, listed[r.ID], errs)
		}
	}
	if seen < 20 {
		t.Errorf("tried %d records, want at least 20", seen)
	}
	requireFarther(t, tried, false)
}

// suiteAgrees evaluates the program in a file and reports whether its results are JAX's. errs is what the command printed
// as an error.
func suiteAgrees(t *testing.T, file, id, text string, in []json.RawMessage, want golden.Arrays) (agrees bool, errs string) {
	t.Helper()
	var stdin bytes.Buffer
	for _, a := range in {
		stdin.Write(append(a, '\n'))
	}
	status, out, errs := weft(t, stdin.String(), "eval", "--bits", file)
	if status != 0 {
		return false, errs
	}
	var got golden.Arrays
	if err := json.Unmarshal([]byte("["+strings.Join(strings.Split(strings.TrimSpace(out), "\n"), ",")+"]"), &got); err != nil {
		t.Fatalf("%s: %v in %q", text, err, out)
	}
	agrees = len(got) == len(want)
	without := agrees // whether the record agrees without its entry in farther
	for k := range got {
		agrees = agrees && near(got[k], want[k], id, text)
		without = without && near(got[k], want[k], "", text)
	}
	if farther[id].why != "" && without {
		t.Errorf("%s agrees with JAX to 32 ε: its entry in farther is not needed; remove it", id)
	}
	return agrees, errs
}

// The derivatives and batches that testdata/suite.txt lists fail, and no other ones do. Tested are all records of the
// subset in testdata; or, of the whole suite, the listed records and every 32nd other record.
func TestSuiteDerivatives(t *testing.T) {
	type record struct {
		Of, Kind, Text string
		Size           int
		Axes           []string
		In             []json.RawMessage
		Out            golden.Arrays
	}
	listed := suiteExceptions(t)
	var chosen []record
	needed, i := map[string]string{}, 0
	for r := range goldenfile.Records[record](t, goldenfile.Open(t, "jax/suite/derivatives.jsonl.gz", "testdata/suite_derivatives.jsonl")) {
		if i++; goldenfile.Whole() && !listed[r.Of+":"+r.Kind] && farther[r.Of+":"+r.Kind].why == "" && i%32 != 0 {
			continue
		}
		chosen = append(chosen, r)
		needed[r.Of] = r.Text
	}
	if goldenfile.Whole() { // the texts are in another file
		for r := range goldenfile.Records[struct{ ID, Text string }](t, goldenfile.Open(t, "jax/suite/programs.jsonl.gz", "testdata/suite.jsonl")) {
			if _, ok := needed[r.ID]; ok {
				needed[r.ID] = r.Text
			}
		}
	}
	seen, tried, dir := map[string]int{}, map[string]bool{}, t.TempDir()
	program, derived := filepath.Join(dir, "p"), filepath.Join(dir, "d")
	for _, r := range chosen {
		seen[r.Kind]++
		tried[r.Of+":"+r.Kind] = true
		args := []string{r.Kind, "--ignore-custom-rules"}
		if r.Kind == "vmap" {
			args = append(args, "--size", strconv.Itoa(r.Size), "--in", strings.Join(r.Axes, ","))
		}
		text := needed[r.Of]
		if err := os.WriteFile(program, []byte(text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		status, out, errs := weft(t, "", append(args, program)...)
		agrees := status == 0
		if agrees {
			if err := os.WriteFile(derived, []byte(out), 0o666); err != nil {
				t.Fatal(err)
			}
			agrees, errs = suiteAgrees(t, derived, r.Of+":"+r.Kind, text, r.In, r.Out)
		}
		if id := r.Of + ":" + r.Kind; agrees == listed[id] {
			t.Errorf("%s: agrees with JAX: %t, listed: %t %s", id, agrees, listed[id], errs)
		}
	}
	if len(seen) < 3 {
		t.Errorf("tried %v, want vmap, jvp and vjp", seen)
	}
	for id := range listed {
		if goldenfile.Whole() && strings.Contains(id, ":") && !tried[id] {
			t.Errorf("%s is listed and not in the suite", id)
		}
	}
	requireFarther(t, tried, true)
}

// requireFarther fails if the whole suite was read and lacks the record of an entry of farther: a program, or if
// derivatives is true, a derivative or batch.
func requireFarther(t *testing.T, tried map[string]bool, derivatives bool) {
	t.Helper()
	for id := range farther {
		if strings.Contains(id, " ") {
			continue // an entry of TestScientificRecords
		}
		if goldenfile.Whole() && strings.Contains(id, ":") == derivatives && !tried[id] {
			t.Errorf("%s is in farther and not in the suite", id)
		}
	}
}

// farther lists the records whose results may differ from JAX's by more than 32 ε of the largest element (1 ε of bf16):
// by how many ε, and why. Of 9,745 arrays that agree with JAX's but have other bits, these are the only ones. The test
// fails if one of them agrees without its entry.
var farther = map[string]struct {
	most float64
	why  string
}{
	"lax_control_flow_test#70":            {512, "a loop of sines of sums multiplies the last bit"},
	"lax_control_flow_test#71":            {64, "a loop of sines of sums multiplies the last bit"},
	"lax_control_flow_test#72":            {512, "a loop of sines of sums multiplies the last bit"},
	"custom_linear_solve_test#8:jvp":      {256, "solutions by Cholesky factors; the matrix' condition"},
	"custom_linear_solve_test#8:vjp":      {256, "solutions by Cholesky factors; the matrix' condition"},
	"linalg_test_s3#15":                   {256, "an inverse of 100 × 100 random numbers; the matrix' condition"},
	"harness_test_s4#719":                 {256, "singular vectors of close values"},
	"harness_test_s4#719:vmap":            {256, "singular vectors of close values"},
	"harness_test_s4#383":                 {128, "singular vectors of close values"},
	"harness_test_s4#55:jvp":              {64, "slopes of singular vectors of close values"},
	"harness_test_s4#953":                 {64, "eigenvectors of close values"},
	"linalg_test_s3#12":                   {64, "eigenvectors of close values"},
	"linalg_test#121":                     {64, "a root of a matrix by its eigenvectors"},
	"linalg_test#173":                     {64, "a function of a matrix by its eigenvectors"},
	"linalg_test#115":                     {64, "XLA's lgamma is off by as much"},
	"lax_scipy_test_x32#168":              {64, "XLA's lgamma is off by as much"},
	"lax_scipy_special_functions_test#18": {64, "XLA's lgamma is off by as much"},
	"autodiff 436:jvp":                    {128, "a slope of a logarithm of a determinant: a sum that cancels"},
	"lax_autodiff_test#268:vjp":           {64, "XLA adds 32 numbers of bf16 in bf16; the exact sum is 3.9585, not 3.984"},
}

// near reports whether an array of a record is JAX's up to rounding: whether each element is within some ε of the largest
// one. ε is that of the narrowest floating type of the program, and the largest element counts because sums, products and
// factorizations round relative to a norm. The bound is 32 ε; in 16 bits, where only results round, it is 2 ε for f16
// and 1 ε for bf16.
func near(got, want golden.Array, id, text string) bool {
	g, w := got.Value(), want.Value()
	if g.Aval() != w.Aval() {
		return false
	}
	if !w.Aval().DType.IsInexact() {
		return bytes.Equal(g.Tensor().Data, w.Tensor().Data)
	}
	tol := 32 * 0x1p-52
	for name, ulps := range map[string]float64{"f32[": 32 * 0x1p-23, "c64[": 32 * 0x1p-23, " f16[": 2 * 0x1p-10, ":f16[": 2 * 0x1p-10, "bf16[": 0x1p-7} {
		if strings.Contains(text, name) {
			tol = max(tol, ulps)
		}
	}
	if f, ok := farther[id]; ok {
		tol *= f.most / 32
	}
	return within(g, w, tol)
}

// within reports whether each element of g is within tol times the largest element of w from that of w.
func within(g, w *runtime.Array, tol float64) bool {
	n := w.Aval().Size()
	at := func(k int) (a, b complex128) {
		x, _ := g.At(k)
		y, _ := w.At(k)
		return x.Complex(), y.Complex()
	}
	largest := 0.0
	for k := range n {
		if _, b := at(k); !cmplx.IsNaN(b) && !cmplx.IsInf(b) {
			largest = max(largest, cmplx.Abs(b))
		}
	}
	distance := max(tol*largest, 1.2e-38) // XLA flushes the subnormal numbers of f32
	for k := range n {
		if a, b := at(k); !testcheck.Close(real(a), real(b), distance) || !testcheck.Close(imag(a), imag(b), distance) {
			return false
		}
	}
	return true
}
