package main

import (
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ircheck"
)

func output(t *testing.T, words ...string) string {
	t.Helper()
	var out, err strings.Builder
	if code := run(words, strings.NewReader(""), &out, &err); code != done {
		t.Fatalf("weft %v ends with %d: %s", words, code, err.String())
	}
	return out.String()
}

func TestAbout(t *testing.T) {
	if v := output(t, "version"); !strings.HasPrefix(v, "weft ") || !strings.Contains(v, "go1.") {
		t.Errorf("version prints %q", v)
	}
	for _, part := range []string{"processors", "chip", "executors", "reference", "avx512 (", "avx2 (", "default executor", "executable memory", "threads", "defaults", "devices"} {
		if e := output(t, "env"); !strings.Contains(e, part) {
			t.Errorf("env does not print %s:\n%s", part, e)
		}
	}
}

// The script for bash completes commands and options, asked of bash itself.
func TestCompletion(t *testing.T) {
	script := output(t, "completion", "bash")
	if !strings.Contains(output(t, "completion", "fish"), "-a vmap") || !strings.Contains(output(t, "completion", "zsh"), "bashcompinit") {
		t.Error("a script lacks its commands")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for line, want := range map[string]string{"weft vm": "vmap", "weft show --a": "--after --as", "weft help li": "linearize"} {
		words := strings.Fields(line)
		ask := script + "COMP_WORDS=(" + line + ")\nCOMP_CWORD=" + string(rune('0'+len(words)-1)) + "\n_weft\necho ${COMPREPLY[@]}\n"
		got, err := exec.Command(bash, "-c", ask).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("%q completes to %q, %v; want %q", line, got, err, want)
		}
	}
}

// Costs of contractions, loops and branches, as counted by hand.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		text         string
		flops, bytes uint64
		loops        bool
	}{
		{"{ lambda ; a:f32[2,3] b:f32[3,4]. let c:f32[2,4] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] a b in (c,) }",
			2 * 2 * 3 * 4, 4 * (6 + 12 + 8), false},
		{"{ lambda ; a:f32[5]. let b:f32[5] = sin a; c:f32[] = reduce_sum[axes=(0,) out_sharding=None] b in (c,) }", 5 + 5, 4 * (10 + 6), false},
		{"{ lambda ; a:f32[5]. let b:i32[5] = convert_element_type[new_dtype=int32 weak_type=False] a in (b,) }", 0, 40, false},
	} {
		j := ircheck.Parse(t, c.text)
		if got := costOf(j); got != (cost{c.flops, c.bytes, c.loops}) {
			t.Errorf("%s\ncosts %+v", c.text, got)
		}
	}
	scan := output(t, "show", "--as", "stats", "testdata/scan.jaxpr")
	if !strings.Contains(scan, "     20  operations on numbers\n") {
		t.Errorf("10 iterations of two operations:\n%s", scan)
	}
}

// Numbers that three digits round to 1000 are written in the next unit.
func TestUnits(t *testing.T) {
	for _, c := range [][2]string{
		{short(9999), "9999"}, {short(1234567), "1.23M"}, {short(999400), "999k"}, {short(999500), "1M"}, {short(999600), "1M"},
		{short(18e18), "18E"}, {short(1<<64 - 1), "> 18E"},
		{duration(0), "0 ns"}, {duration(999.4), "999 ns"}, {duration(999.6), "1 µs"}, {duration(999.5e6), "1 s"}, {duration(5025e9), "5025 s"},
		{rate(0), "0k"}, {rate(999.6e6), "1G"}, {rate(20e12), "20T"}, {rate(math.Inf(1)), "–"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s, want %s", c[0], c[1])
		}
	}
}
