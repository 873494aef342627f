package main

import (
	"strings"
	"testing"
)

func TestHelpWriteError(t *testing.T) {
	for _, words := range []string{"help", "help grad", "--help", "grad --help", "--version", "promote --help", "promote i32 f16", "promote --list", "promote --check numpy"} {
		var errs strings.Builder
		if status := run(strings.Fields(words), strings.NewReader(""), full{}, &errs); status != wrong {
			t.Errorf("weft %s into a full disk ends with %d", words, status)
		}
		if strings.Count(errs.String(), "the output is not complete: no space") != 1 {
			t.Errorf("weft %s prints %q", words, errs.String())
		}
	}
}

func TestMessagesQuoteArguments(t *testing.T) {
	inFolder(t, map[string]string{"add": addText, "two": addText + "\n" + addText})
	sizes := func(s string) string { return "{ lambda ; a:f32[" + s + "]. let in (a,) }" }
	for _, c := range []struct{ in, words, want string }{
		{sizes("99999999999999999999999999999"), "check", "the size 99999999999999999999… is too large; an axis has at most 9223372036854775807 elements"},
		{sizes("-3"), "check", "a size is negative"},
		{sizes("n"), "check", "symbolic sizes are not supported"},
		{"", "fmt two", "write each program to a file of its own; of the two that weft linearize writes, --part"},
		{"x", "eval --bits add", `is no JSON: invalid character 'x' looking for beginning of value; write {"dtype":`},
		{`{"dtype":"f32","shape":[1.5]}`, "eval --bits add", "shape is a JSON number 1.5, and should not be"},
		{"[1]", "eval --bits add", "the argument is a JSON array, and should not be"},
		{`{"dtype":"f32","data":[1]}`, "eval --bits add", `there is no field "data"; write {"dtype":`},
		{`{"dtype":"f32","shape":[],"bits":"zz"}`, "eval --bits add", `bits contains 'z', which is no hexadecimal digit`},
		{`{"dtype":"f32","shape":[],"bits":"0"}`, "eval --bits add", `bits contains 1 hexadecimal digits; a byte takes two`},
	} {
		status, out, errs := weft(t, c.in, strings.Fields(c.words)...)
		if status != wrong || !strings.Contains(errs, c.want) || strings.Contains(errs, "Go ") {
			t.Errorf("weft %s of %q ends with %d and prints %q%q, which contains no %q", c.words, c.in, status, out, errs, c.want)
		}
	}
	if _, out, _ := weft(t, "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }", "show", "--as", "stats"); !strings.Contains(out, "1  equation in 1 program, nested") {
		t.Errorf("%s", out)
	}
	huge := "f32[99999,99999,99999,99999]"
	if _, out, _ := weft(t, "{ lambda ; a:"+huge+". let b:"+huge+" = sin a in (b,) }", "show", "--as", "stats"); !strings.Contains(out, "  > 18E  operations") {
		t.Errorf("%s", out)
	}
}

// Messages advise the command's users, who have text and no Go.
func TestMessagesAdviseInText(t *testing.T) {
	program := func(in, eqn string) string { return "{ lambda ; " + in + ". let " + eqn + " in (b,) }" }
	loop := "b:f32[] = while[body_jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) } body_nconsts=0 cond_jaxpr={ lambda ; c:f32[]. let d:bool[] = gt c 0.0:f32[] in (d,) } cond_nconsts=0] a"
	call := "b:f32[] = pure_callback[callback=f result_avals=(ShapedArray(float32[]),) sharding=None vmap_method=None] a"
	effect := "b:f32[] = io_callback[callback=f ordered=False result_avals=(ShapedArray(float32[]),) sharding=None] a"
	for _, c := range []struct{ in, words, want string }{
		{program("a:f32[]", "b:f32[] = sin a"), "transpose", "weft linearize --part lin"},
		{program("a:f32[2] c:i32[2]", "b:f32[2] = add a c"), "check", "convert one of them with convert_element_type"},
		{program("p:bool[2] a:f32[2] c:i32[2]", "b:f32[2] = select_n p a c"), "check", "convert them with convert_element_type"},
		{program("a:f32[]", loop), "grad", "write a scan, or use weft jvp"},
		{program("a:f32[]", call), "jvp", "replace the call by equations"},
		{program("a:f32[]", effect), "jvp", "replace the call by equations"},
		{program("a:key<fry>[2]", "b:key<fry>[] = reduce_sum[axes=(0,) out_sharding=None] a"), "check", "random_unwrap"},
		{program("a:f32[2]", "c = cos a; b:f32[2] = sin c"), "check", "the variable c has no type; write it before the =, as in c:f32[] = …"},
		{"{ lambda ; a:f32[2]. let b:f32[2] = sin a\n c = cos b in (c,) }", "check", "the variable c has no type"},
	} {
		status, out, errs := weft(t, c.in, strings.Fields(c.words)...)
		if status != wrong || !strings.Contains(errs, c.want) {
			t.Errorf("weft %s of %s ends with %d and prints %q%q, want %q", c.words, c.in, status, out, errs, c.want)
		}
		for _, word := range []string{"custom.", "weft.", "package weft", "AsType", "StopGradient", "Vmap", "Grad"} {
			if strings.Contains(errs, word) {
				t.Errorf("weft %s of %s prints %q, which advises in Go: %s", c.words, c.in, errs, word)
			}
		}
	}
}
