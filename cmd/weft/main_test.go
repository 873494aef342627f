package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// weft runs the command with the given standard input.
func weft(t *testing.T, stdin string, words ...string) (status int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	status = run(words, strings.NewReader(stdin), &o, &e)
	return status, o.String(), e.String()
}

// inFolder moves the test into a folder with the given files.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const addText = "{ lambda k:f32[]; a:f32[2]. let b:f32[2] = add a k in (b, 3:i32[]) }\n"

func TestCommands(t *testing.T) {
	inFolder(t, map[string]string{
		"add":     addText,
		"ugly":    "{lambda;x:f32[2].let y:f32[2]=neg x in(y,)}",
		"pretty":  "{ lambda ; a:f32[2]. let b:f32[2] = neg a in (b,) }\n",
		"bad":     "{ lambda ; a:f32[2] b:f32[3]. let\n    c:f32[2] = add a b\n  in (c,) }\n",
		"worse":   "{ lambda ; a:f32[2]. let\n    b:f32[2] = neg c\n  in (b,) }\n",
		"unknown": "{ lambda ; a:f32[]. let b:f32[] = frobnicate[x=1] a in (b,) }\n",
		"const":   "{ lambda ; . let  in (1.5:f32[], True:bool[]) }\n",
	})
	for _, c := range []struct {
		words     string
		stdin     string
		status    int
		out, errs string // the whole output, or its beginning if it ends in …
	}{
		{"", "", 2, "", "weft works on programs…"},
		{"help", "", 0, "weft works on programs…", ""},
		{"--help", "", 0, "weft works on programs…", ""},
		{"help fmt", "", 0, "usage: weft fmt [flags] [FILE…]…", ""},
		{"eval --help", "", 0, "usage: weft eval [flags] FILE…", ""},
		{"help promote", "", 0, "usage:…", ""},
		{"help nothing", "", 2, "", "weft: there is no command nothing\n"},
		{"nothing", "", 2, "", "weft: there is no command nothing…"},

		{"fmt ugly", "", 0, "{ lambda ; a:f32[2]. let b:f32[2] = neg a in (b,) }\n", ""},
		{"fmt", addText, 0, "{ lambda a:f32[]; b:f32[2]. let c:f32[2] = add b a in (c, 3:i32[]) }\n", ""},
		{"fmt --width 30 - ", "{lambda;x:f32[2].let y:f32[2]=neg x in(y,)}", 0, "{ lambda ; a:f32[2]. let\n    b:f32[2] = neg a\n  in (b,) }\n", ""},
		{"fmt --effects const", "", 0, "{ lambda ; . let  in (1.5:f32[], True:bool[]) : {  } }\n", ""},
		{"fmt -l ugly pretty", "", 0, "ugly\n", ""},
		{"fmt bad", "", 1, "", "bad:2:5: add: …"},
		{"fmt worse pretty", "", 1, "{ lambda ; a:f32[2]. let b:f32[2] = neg a in (b,) }\n",
			"worse:2:20: the variable c is not bound here; bind it first\n        b:f32[2] = neg c\n                       ^\n"},
		{"fmt", "{ lambda", 1, "", "<stdin>:1:9: expected ;\n    { lambda\n            ^\n"},
		{"fmt missing", "", 1, "", "weft: open missing: …"},
		{"fmt -w -", "", 2, "", "weft fmt: standard input cannot be written back…"},
		{"fmt --what ugly", "", 2, "", "weft fmt: flag provided but not defined: -what\nsee weft help fmt\n"},
		{"fmt --width 0 ugly", "", 2, "", "weft fmt: --width is too small; set 1 or more…"},

		{"check add pretty", "", 0, "add: ok, 1 equation in 1 program\npretty: ok, 1 equation in 1 program\n", ""},
		{"check -q add", "", 0, "", ""},
		{"check unknown", "", 0, "unknown: ok, 1 equation in 1 program\nunknown: frobnicate cannot be evaluated: it is not in the vocabulary\n", ""},
		{"check -q --strict unknown", "", 1, "", "unknown: frobnicate cannot be evaluated: it is not in the vocabulary\n"},
		{"check bad", "", 1, "", "bad:2:5: add: …"},

		{"show --as stats add", "", 0, "      1  add\n      1  equation in 1 program, nested 1 deep\n      2  operations on numbers\n     20  bytes read and written, if no equation shares with another\n", ""},
		{"show --as dot add", "", 0, "digraph jaxpr {…", ""},
		{"show add", "", 0, "<!DOCTYPE html>…", ""},
		{"show --as song add", "", 2, "", "weft show: unknown view song; the views are html, dot, stats, text…"},
		{"show add add add", "", 2, "", "weft show: one program at a time (got 3 files); name one, or two with --as html…"},
		{"show --as dot add add", "", 2, "", "weft show: one program at a time…"},
		{"show --weak --as dot add", "", 2, "", "weft show: --weak marks types in the text (got --as dot); leave --as out…"},

		{"eval const", "", 0, "f32[]{1.5}\nbool[]{True}\n", ""},
		{"eval --on reference const", "", 0, "f32[]{1.5}\nbool[]{True}\n", ""},
		{"eval const --on gpu", "", 2, "", "weft eval: there is no executor \"gpu\" (there is reference, avx512, avx2…"},
		{"eval add 1 {1,2}", "", 0, "f32[2]{2.0,3.0}\ni32[]{3}\n", ""},
		{"eval add f32[]{-1} f32[2]{-inf,nan}", "", 0, "f32[2]{-inf,nan}\ni32[]{3}\n", ""},
		{"eval --on reference - -1 {1,2}", addText, 0, "f32[2]{0.0,1.0}\ni32[]{3}\n", ""},
		{"eval - --on reference -1 {1,2}", addText, 0, "f32[2]{0.0,1.0}\ni32[]{3}\n", ""},
		{"eval --on=reference - -inf -- {1,2}", addText, 0, "f32[2]{-inf,-inf}\ni32[]{3}\n", ""},
		{"check -q -- -strict", "", 1, "", "weft: open -strict…"},
		{"eval - -1 {1,2}", addText, 0, "f32[2]{0.0,1.0}\ni32[]{3}\n", ""},
		{"eval --bits add", `{"dtype":"f32","shape":[],"bits":"0000803f"}` + "\n" + `{"dtype":"f32","shape":[2],"bits":"0000803f00000040"}` + "\n", 0,
			`{"dtype":"f32","shape":[2],"bits":"0000004000004040"}` + "\n" + `{"dtype":"i32","shape":[],"bits":"03000000"}` + "\n", ""},
		{"eval", "", 2, "", "weft eval: no program; name a file…"},
		{"eval --bits -", "", 2, "", "weft eval: with --bits standard input contains the arguments…"},
		{"eval --bits add 1", "", 2, "", "weft eval: with --bits the arguments come from standard input…"},
		{"eval add 1", "", 1, "", "weft eval: the program takes 2 arguments (f32[], f32[2]), got 1\n"},
		{"eval add 1 {1,x}", "", 1, "", "weft eval: argument 2: {1,x}: x is not a number of type f32; write one that the type has\n"},
		{"eval unknown 1", "", 1, "", "unknown: frobnicate: cannot be run: it is not in the vocabulary\n"},
		{"eval bad 1 2", "", 1, "", "bad:2:5: add: …"},
	} {
		status, out, errs := weft(t, c.stdin, strings.Fields(c.words)...)
		if status != c.status || !matches(out, c.out) || !matches(errs, c.errs) {
			t.Errorf("weft %s: %d\n%s%swant %d\n%s%s", c.words, status, out, errs, c.status, c.out, c.errs)
		}
	}
}

func matches(got, want string) bool {
	if head, ok := strings.CutSuffix(want, "…"); ok {
		return strings.HasPrefix(got, head)
	}
	return got == want
}

func TestFmtWrites(t *testing.T) {
	inFolder(t, map[string]string{"a": "{lambda;x:f32[2].let y:f32[2]=neg x in(y,)}", "b": addText})
	if status, out, errs := weft(t, "", "fmt", "-w", "a", "b"); status != 0 || out != "" || errs != "" {
		t.Fatal(status, out, errs)
	}
	for name, want := range map[string]string{
		"a": "{ lambda ; a:f32[2]. let b:f32[2] = neg a in (b,) }\n",
		"b": "{ lambda a:f32[]; b:f32[2]. let c:f32[2] = add b a in (c, 3:i32[]) }\n",
	} {
		got, err := os.ReadFile(filepath.Join(".", name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
}
