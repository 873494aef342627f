package main

import (
	"strings"
	"testing"
)

// check refuses programs within which there are constants: the text does not contain their values.
func TestCheckRefusesHiddenConstants(t *testing.T) {
	inner := func(binders string) string {
		return "{ lambda ; a:f32[2]. let b:f32[2] = jit[name=f jaxpr={ lambda " + binders + " a:f32[2]. let b:f32[2] = add a a in (b,) }] a in (b,) }"
	}
	if status, out, errs := weft(t, inner(";"), "check"); status != 0 || !strings.Contains(out, "ok") {
		t.Errorf("without constants: got %d, %s%s", status, out, errs)
	}
	status, out, errs := weft(t, inner("c:f32[2];"), "check")
	if status != 1 || out != "" || !strings.Contains(errs, "1 constant whose values the text does not contain") {
		t.Errorf("with a constant: got %d, %q, %q", status, out, errs)
	}
}
