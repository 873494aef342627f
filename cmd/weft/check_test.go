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

// An unknown operation whose program has references is listed like others, and other mistakes with references stay mistakes.
func TestCheckListsUnknownWithReferences(t *testing.T) {
	program := func(index string) string {
		return "{ lambda ; x:f32[]. let y:f32[] = frob[jaxpr={ lambda ; a:Ref{f32[]} b:Ref{f32[]}. let c:f32[] <- a[...]; b[...] <- c in () }] x; " +
			"z:f32[] = jit[name=f jaxpr={ lambda ; x:f32[]. let a:Ref{f32[]} = new_ref x; b:f32[] <- a[" + index + "] in (b,) }] x in (y, z) }"
	}
	if status, out, errs := weft(t, program("..."), "check"); status != 0 || !strings.Contains(out, "frob cannot be evaluated") || errs != "" {
		t.Errorf("got %d, %q, %q", status, out, errs)
	}
	if status, _, errs := weft(t, program("..."), "check", "--strict"); status != 1 || !strings.Contains(errs, "frob cannot be evaluated") {
		t.Errorf("strict: got %d, %q", status, errs)
	}
	wrong := "{ lambda ; a:Ref{f32[4]}. let b:f32[] <- a[7] in (b,) }"
	if status, _, errs := weft(t, wrong, "check"); status != 1 || !strings.Contains(errs, "the index 7") {
		t.Errorf("index outside: got %d, %q", status, errs)
	}
}

// Where nothing uses the residuals of remat_opt, JAX runs another function than that of the text.
func TestCheckRefusesUnusedResiduals(t *testing.T) {
	program := func(residual string) string {
		return "{ lambda ; a:f32[2]. let " + residual + ":f32[2] c:f32[2] = remat_opt[fun_jaxpr_thunk=<function f> fwd_jaxpr={ lambda ; a:f32[2]. let " +
			"b:f32[2] = sin a; c:f32[2] = add a a in (b, c) } num_consts=0 num_res=1] a in (c" + strings.TrimSuffix(", "+residual, ", _") + ",) }"
	}
	if status, out, errs := weft(t, program("b"), "check"); status != 0 || !strings.Contains(out, "ok") {
		t.Errorf("used: got %d, %s%s", status, out, errs)
	}
	for _, cmd := range [][]string{{"check"}, {"eval", "-", "{1,2}"}} {
		status, out, errs := weft(t, program("_"), cmd...)
		if status != 1 || out != "" || !strings.Contains(errs, "nothing uses its residuals") {
			t.Errorf("%s of unused residuals: got %d, %q, %q", cmd[0], status, out, errs)
		}
	}
}

// Messages quote the beginning of a literal, which may have megabytes.
func TestCheckQuotesLittle(t *testing.T) {
	long := strings.Repeat("12345", 1<<20)
	for _, text := range []string{
		"{ lambda ; a:f32[]. let b:f32[] = add a " + long + "x:f32[] in (b,) }",
		"{ lambda ; a:i32[]. let b:i32[] = add a " + long + ":i32[] in (b,) }",
		"{ lambda ; a:f32[]. let b:f32[] = f" + long + " a in (c" + long + ",) }",
		"module { func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<" + long + "x> : tensor<i32>\n  return %0 : tensor<i32>\n} }",
		"module { func.func @main() -> tensor<i32> {\n  %0 = stablehlo.constant dense<\"" + long + "\"> : tensor<i32>\n  return %0 : tensor<i32>\n} }",
		"module { func.func @main() -> tensor<i32> {\n  %0 = stablehlo.f" + long + " : tensor<i32>\n  return %0 : tensor<i32>\n} }",
	} {
		status, out, errs := weft(t, text, "check")
		if status == 0 || len(out)+len(errs) > 2000 {
			t.Errorf("%.60q: status %d, %d bytes are printed, want at most 2000: %.200s", text, status, len(out)+len(errs), errs)
		}
	}
}
