package main

import (
	"strings"
	"testing"
)

// A text does not contain the values of constants of inner programs, but the value of an array without elements is known.
func TestEmptyConstantsOfInnerPrograms(t *testing.T) {
	program := func(constant string) string {
		return "{ lambda ; a:f64[3,0]. let\n    b:" + constant + " = jit[\n      name=cov\n      jaxpr={ lambda c:" + constant +
			"; a:f64[3,0]. let b:" + constant + " = neg c in (b,) }\n    ] a\n  in (b,) }\n"
	}
	argument := "{\"dtype\": \"f64\", \"shape\": [3, 0], \"bits\": \"\"}\n"
	inFolder(t, map[string]string{"empty": program("f64[0,0]"), "unknown": program("f64[1]")})
	if status, out, errs := weft(t, argument, "eval", "--bits", "empty"); status != 0 || !strings.Contains(out, `"shape":[0,0]`) {
		t.Errorf("eval ends with %d, %s %s", status, out, errs)
	}
	if status, out, errs := weft(t, "", "vmap", "--size", "2", "empty"); status != 0 || !strings.Contains(out, "f64[2,3,0]") {
		t.Errorf("vmap ends with %d, %s %s", status, out, errs)
	}
	if status, _, errs := weft(t, "", "vmap", "--size", "2", "unknown"); status == 0 || !strings.Contains(errs, "does not contain the values of its 1 constant") {
		t.Errorf("vmap of an unknown constant ends with %d, %s", status, errs)
	}
}
