package main

import (
	"strings"
	"testing"
)

// What a program prints is not among its results.
func TestEvalPrintsToStandardError(t *testing.T) {
	const text = `{ lambda ; a:f32[]. let
    debug_print[
      fmt=a is {}
      has_placeholders=True
      in_tree=PyTreeDef(((*,), {}))
      np_printoptions=(('edgeitems', 3), ('threshold', 1000), ('floatmode', 'maxprec'), ('precision', 8), ('suppress', False), ('linewidth', 75), ('nanstr', 'nan'), ('infstr', 'inf'), ('sign', '-'), ('formatter', None), ('legacy', False), ('override_repr', None))
      ordered=False
      partitioned=False
      static_args=()
    ] a
  in (a,) }`
	if status, out, errs := weft(t, text, "eval", "-", "2"); status != done || out != "f32[]{2.0}\n" || errs != "a is 2.0\n" {
		t.Errorf("%d %q %q", status, out, errs)
	}
}

// Keys and their words are arguments for each other.
func TestEvalKeysAndWords(t *testing.T) {
	inFolder(t, map[string]string{
		"words": "{ lambda ; a:u32[4]. let b:u32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] a in (b,) }",
		"key":   "{ lambda ; a:key<rbg>[]. let b:u32[4] = random_unwrap a; c:u32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] b in (c,) }",
	})
	for _, argument := range []string{`"dtype":"key<rbg>","shape":[]`, `"dtype":"u32","shape":[4]`} {
		for _, file := range []string{"words", "key"} {
			in := `{` + argument + `,"bits":"01000000020000000300000004000000"}`
			status, out, errs := weft(t, in, "eval", "--bits", file)
			if status != done || !strings.Contains(out, `"bits":"03000000"`) {
				t.Errorf("%s of %s: %d %s%s", file, in, status, out, errs)
			}
		}
	}
}

// The text of a policy that is an object does not say what it saves; the derivative is the same.
func TestDerivativeUnderAnyPolicy(t *testing.T) {
	const text = "{ lambda ; a:f32[]. let b:f32[] = remat2[differentiated=False jaxpr={ lambda ; c:f32[]. let d:f32[] = mul c c; e:f32[] = mul d d in (e,) } policy=POLICY prevent_cse=True] a in (b,) }"
	for _, policy := range []string{"<function nothing_saveable at 0xXXXXXXXXXXXX>", "SaveOnlyTheseNames(saveable_names=frozenset({'h'}))", "None"} {
		status, grad, errs := weft(t, strings.ReplaceAll(text, "POLICY", policy), "grad")
		if status != done {
			t.Errorf("%s: %s", policy, errs)
			continue
		}
		if status, out, errs := weft(t, grad, "eval", "-", "2"); status != done || out != "f32[]{32.0}\n" {
			t.Errorf("%s: %s%s", policy, out, errs)
		}
	}
}
