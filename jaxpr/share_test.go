package jaxpr_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Shared programs are called after the functions that they are, whose names may be anything: the text reads back,
// also where a tuple lists them.
func TestSharedProgramsOfOddNames(t *testing.T) {
	const text = "let f = { lambda ; x:f32[]. let y:f32[] = sin x in (y,) } in " +
		"{ lambda ; a:f32[] i:i32[]. let b:f32[] = jit[name=NAME jaxpr=f] a; c:f32[] = cond[branches=(f f)] i b in (c,) }"
	for _, c := range []struct{ name, want string }{
		{"sinus", "let sinus ="},
		{"<lambda>", "let lambda ="},
		{"_2", "let _2 ="},
		{" sclose", "let jaxpr ="},
		{"in ", "let in ="}, // a blank at the end is not the name's
		{"@", "let jaxpr ="},
		{"2", "let jaxpr ="},
		{"a b", "let jaxpr ="},
		{"f.<locals>.g", "let jaxpr ="},
		{"π", "let jaxpr ="},
		{"<>", "let jaxpr ="},
		{"\xff", "let jaxpr ="},
	} {
		text := strings.ReplaceAll(text, "NAME", c.name)
		if !readable(t, text, prim.Vocabulary) {
			t.Errorf("%q is refused", c.name)
			continue
		}
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		if s := j.String(); !strings.HasPrefix(s, c.want) {
			t.Errorf("%q: printed\n%s\nwant %s …", c.name, s, c.want)
		}
	}
}
