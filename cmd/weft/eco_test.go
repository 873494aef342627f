package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
)

// unloaded are the programs of JAX's ecosystem that cannot run, with the reason.
var unloaded = map[string]string{
	"sci/s2fft_forward": "ftm_to_flm is a primitive of s2fft whose meaning the text lacks",
}

// unruled are derivatives for which the text lacks a rule that JAX used.
var unruled = map[string]string{
	"dynamax/poisson_hmm_nll:grad": "_maximum_jvp: the slope where both operands are equal",
}

// unstable lists the programs and derivatives whose results differ from JAX's, with the cause. The test shows that Weft's
// own results differ as much when the operands change by one unit in the last place.
var unstable = map[string]string{
	"diffrax/lorenz_pid_dopri5":         "a chaotic orbit",
	"flax/transformer_loss.grad":        "the gradient of a key's bias is 0: what is left are roundings",
	"flax/transformer_loss:grad":        "the gradient of a key's bias is 0: what is left are roundings",
	"flax/transformer_forward:vjp":      "the gradient of a key's bias is 0: what is left are roundings",
	"flax/nnx_mha:vjp":                  "the gradient of a key's bias is 0: what is left are roundings",
	"haiku/batchnorm_loss.grad":         "the gradient of a bias before a normalization is 0: what is left are roundings",
	"jaxopt/projection_l2_ball.grad":    "the gradient along the ray is 0: what is left are roundings",
	"jaxopt/projection_l2_ball:grad":    "the gradient along the ray is 0: what is left are roundings",
	"mjx/step_box_plane":                "an iteration that stops by a comparison of forces",
	"numpyro/nuts_step_schools":         "a step length that depends on energies' differences",
	"gp/tinygp_quasisep_nll_carma":      "the root of a difference that is 0: NaN if it rounds below",
	"gp/tinygp_quasisep_nll_carma.grad": "the root of a difference that is 0: NaN if it rounds below",
	"gp/tinygp_quasisep_nll_carma:grad": "the root of a difference that is 0: NaN if it rounds below",
}

// Programs of the libraries of JAX's ecosystem load and have JAX's results, to 1e-5 of the largest element in f32, 1e-12
// in f64 and 1e-2 in 16 bits, and so have their derivatives, but for those that are listed.
func TestEcosystem(t *testing.T) {
	if testing.Short() {
		t.Skip("runs hundreds of programs")
	}
	texts, seen, file := map[string]string{}, map[string]bool{}, filepath.Join(t.TempDir(), "p")
	for r := range goldenfile.Records[struct {
		ID, Text string
		In, Out  golden.Arrays
	}](t, goldenfile.Open(t, "jax/eco/programs.dev.jsonl.gz", "testdata/eco.jsonl.gz")) {
		texts[r.ID], seen[r.ID] = r.Text, true
		if err := os.WriteFile(file, []byte(r.Text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		requireEco(t, file, r.ID, r.Text, r.In, r.Out)
	}
	derived := filepath.Join(t.TempDir(), "d")
	for r := range goldenfile.Records[struct {
		Of, Kind string
		Size     int
		Axes     []string
		In, Out  golden.Arrays
	}](t, goldenfile.Open(t, "jax/eco/derivatives.dev.jsonl.gz", "testdata/eco_derivatives.jsonl.gz")) {
		id := r.Of + ":" + r.Kind
		seen[id] = true
		args := []string{r.Kind, "--ignore-custom-rules"}
		if r.Kind == "vmap" {
			args = append(args, "--size", strconv.Itoa(r.Size), "--in", strings.Join(r.Axes, ","))
		}
		if err := os.WriteFile(file, []byte(texts[r.Of]+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		status, out, errs := weft(t, "", append(args, file)...)
		if status != 0 {
			t.Errorf("%s: %s", id, errs)
			continue
		}
		if err := os.WriteFile(derived, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
		requireEco(t, derived, id, texts[r.Of], r.In, r.Out)
	}
	for _, list := range []map[string]string{unloaded, unruled, unstable} {
		for id := range list {
			if goldenfile.Whole() && !seen[id] {
				t.Errorf("%s is listed and not among the records", id)
			}
		}
	}
}

// requireEco checks that the program in a file has JAX's results, or, if it is listed above, that it does not.
func requireEco(t *testing.T, file, id, text string, in, want golden.Arrays) {
	t.Helper()
	got, errs := evaluated(t, file, in)
	switch {
	case unloaded[id] != "":
		if errs == "" {
			t.Errorf("%s runs: it is listed as one that cannot", id)
		}
		return
	case errs != "":
		t.Errorf("%s: %s", id, errs)
		return
	}
	agrees := agree(got, want, text)
	if listed := unruled[id]+unstable[id] != ""; agrees == listed {
		t.Errorf("%s: agrees with JAX: %t, listed: %t", id, agrees, listed)
	}
	if unstable[id] == "" {
		return
	}
	for pattern := range 16 {
		other, errs := evaluated(t, file, moved(in, pattern))
		if errs != "" {
			t.Errorf("%s: %s", id, errs)
		}
		if !agree(other, got, text) {
			return
		}
	}
	t.Errorf("%s is not JAX's and does not change by as much where its operands change by one unit in the last place", id)
}

// evaluated returns the results of the program in a file, or the error that was printed.
func evaluated(t *testing.T, file string, in golden.Arrays) (out golden.Arrays, errs string) {
	t.Helper()
	var stdin bytes.Buffer
	for _, a := range in {
		line, err := json.Marshal(map[string]any{"dtype": a.DType, "shape": append([]int{}, a.Shape...), "bits": a.Bits})
		if err != nil {
			t.Fatal(err)
		}
		stdin.Write(append(line, '\n'))
	}
	status, text, errs := weft(t, stdin.String(), "eval", "--bits", file)
	if status != 0 {
		return nil, errs
	}
	if err := json.Unmarshal([]byte("["+strings.Join(strings.Split(strings.TrimSpace(text), "\n"), ",")+"]"), &out); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return out, ""
}

// agree reports whether two lists of results are equal up to rounding.
func agree(got, want golden.Arrays, text string) bool {
	tol := 1e-12
	for name, v := range map[string]float64{":f32[": 1e-5, ":c64[": 1e-5, ":f16[": 1e-2, ":bf16[": 1e-2} {
		if strings.Contains(text, name) {
			tol = max(tol, v)
		}
	}
	return slices.EqualFunc(got, want, func(a, b golden.Array) bool {
		g, w := a.Value(), b.Value()
		if g.Aval() != w.Aval() {
			return false
		}
		if !w.Aval().DType.IsInexact() {
			return bytes.Equal(g.Tensor().Data, w.Tensor().Data)
		}
		return within(g, w, tol)
	})
}

// moved returns operands with each float unchanged or moved up or down by one unit in the last place. pattern is the seed
// of these choices.
func moved(in golden.Arrays, pattern int) golden.Arrays {
	out := slices.Clone(in)
	state := uint32(pattern)*2654435761 + 1
	for i, a := range out {
		width := map[string]int{"f16": 2, "bf16": 2, "f32": 4, "c64": 4, "f64": 8, "c128": 8}[a.DType]
		if width == 0 {
			continue
		}
		b, err := hex.DecodeString(a.Bits)
		if err != nil {
			panic(err)
		}
		for at := 0; at < len(b); at += width {
			state = state*1664525 + 1013904223
			low := b[at]
			switch zero := !slices.ContainsFunc(b[at:at+width], func(c byte) bool { return c != 0 }); {
			case zero: // zeros stay: they may be structural
			case state>>30 == 0 && low != 0xff:
				b[at]++
			case state>>30 == 1 && low != 0:
				b[at]--
			}
		}
		out[i].Bits = hex.EncodeToString(b)
	}
	return out
}
