package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/transform anew")

// pipe runs commands one after the other, each on the output of the previous one. It returns the output of the last
// command, or the first error.
func pipe(t *testing.T, text, line string) (status int, out string) {
	t.Helper()
	for command := range strings.SplitSeq(line, "|") {
		words := strings.Fields(command)
		if words[0] != "weft" {
			t.Fatalf("%s: not a command of weft", command)
		}
		status, out, errs := weft(t, text, words[1:]...)
		if status != done {
			return status, errs
		}
		text = out
	}
	return done, text
}

// A file of testdata/transform contains a program, and lines that begin with a dollar: commands, each followed by its
// output or its error.
func TestTransform(t *testing.T) {
	files, err := filepath.Glob("testdata/transform/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := strings.Split(string(b), "\n$ ")
			text := parts[0] + "\n"
			if status, out, errs := weft(t, text, "check", "-q"); status != done {
				t.Fatal(out, errs)
			}
			var all strings.Builder
			all.WriteString(parts[0])
			for _, part := range parts[1:] {
				line, _, _ := strings.Cut(part, "\n")
				status, out := pipe(t, text, line)
				if status == usage {
					t.Errorf("$ %s: %s", line, out)
				}
				all.WriteString("\n$ " + line + "\n" + strings.TrimSuffix(out, "\n"))
			}
			all.WriteByte('\n')
			got := all.String()
			if got == string(b) {
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s\nwant\n%s", got, b)
		})
	}
}

func TestTransformMistakes(t *testing.T) {
	inFolder(t, map[string]string{
		"f":     "{ lambda ; a:f32[2] b:i32[]. let c:f32[] = reduce_sum[axes=(0,) out_sharding=None] a in (c,) }\n",
		"both":  "{ lambda ; a:f32[]. let  in (a,) }\n{ lambda ; a:f32[]. let  in (a,) }\n",
		"two":   "{ lambda ; a:f32[]. let b:f32[] = sin a in (a, b) }\n",
		"int":   "{ lambda ; a:i32[]. let b:f32[] = convert_element_type[new_dtype=float32 weak_type=False] a in (b,) }\n",
		"other": "{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n    c:f32[] = frobnicate[x=1] b\n  in (c,) }\n",
	})
	for _, c := range []struct {
		words  string
		status int
		errs   string
	}{
		{"jvp f f", usage, "weft jvp: one program at a time (got 2 files)…"},
		{"vjp --wrt 0 f", usage, "weft vjp: flag provided but not defined: -wrt…"},
		{"grad --wrt a f", usage, `weft grad: invalid value "a" for flag -wrt: "a" is no number…`},
		{"grad missing", wrong, "weft: open missing: …"},
		{"grad --wrt 2 f", wrong, "f: grad: there is no input 2, because the program has 2; inputs count from 0\n"},
		{"grad --wrt 0,1 f", wrong, "f: grad: input 1 is i32[], which has no derivative; convert it to a floating type\n"},
		{"grad two", wrong, "two: grad: the program must have one result, a real scalar; it has 2: [f32[] f32[]]\n"},
		{"grad int", wrong, "int: grad: no input is floating or complex; make one so to differentiate with respect to it\n"},
		{"grad other", wrong, "other:3:5: frobnicate: cannot be evaluated: it is not in the vocabulary\n        c:f32[] = frobnicate[x=1] b\n        ^\n"},
		{"vmap f", usage, "weft vmap: pass the size of the batch with --size…"},
		{"vmap --size 0 f", usage, "weft vmap: a batch has one element at least, not 0\n…"},
		{"vmap --size -3 f", usage, "weft vmap: a batch has one element at least, not -3\n…"},
		{"vmap --size x f", usage, `weft vmap: invalid value "x" for flag -size: "x" is no number…`},
		{"transpose both", wrong, "both:2:1: a second program begins here; a text contains one\n    { lambda ; a:f32[]. let  in (a,) }\n    ^\n" +
			"write each program to a file of its own; of the two that weft linearize writes, --part fwd or --part lin prints one\n"},
		{"vmap --size 3 --in 0,x f", usage, `weft vmap: invalid value "0,x" for flag -in: "x" is neither a number nor none…`},
		{"vmap --size 3 --in 0,none,0 f", wrong, "f: vmap: --in has 3 axes, but the program has 2 inputs; give one for each\n"},
		{"vmap --size 3 --in 2,none f", wrong, "f: vmap: axis 2 is out of range for an array of rank 2; use an axis from 0 to the rank - 1\n"},
		{"vmap --size 3 --in 0,none --out none f", wrong, "f: vmap: result 0 differs within the batch; give it an axis\n"},
		{"linearize --part all f", usage, "weft linearize: there is no part all; there are fwd, lin, both\n…"},
		{"transpose --linear 5 f", wrong, "f: transpose: there is no input 5, because the program has 2; inputs count from 0\n"},
		{"transpose two", wrong, "two:1:25: sin: cannot be transposed: …"},
	} {
		status, out, errs := weft(t, "", strings.Fields(c.words)...)
		if status != c.status || out != "" || !matches(errs, strings.TrimSuffix(c.errs, "\n…")+map[bool]string{true: "…"}[strings.HasSuffix(c.errs, "\n…")]) {
			t.Errorf("weft %s: %d\n%s%swant %d\n%s", c.words, status, out, errs, c.status, c.errs)
		}
	}
}
