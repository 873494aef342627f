package jaxpr_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
)

// Any number of blanks may stand where one does, and line breaks between equations.
func TestBlanksOfAnyNumber(t *testing.T) {
	const text = "{ lambda ; a:f32[2,3] b:i32[]. let c:f32[3,2] = transpose[permutation=(1, 0)] a; d:f32[3,2] = " +
		"cond[branches=({ lambda ; e:f32[3,2]. let in (e,) } { lambda ; f:f32[3,2]. let g:f32[3,2] = add f f in (g,) })] b c in (d, 1.0:f32[]) }"
	want := ircheck.Parse(t, text).String()
	for n := range 200 {
		run := strings.Repeat(" ", n)
		for _, wide := range []string{
			strings.ReplaceAll(text, " ", run+" "),
			strings.ReplaceAll(text, " ", run+"\t"),
			strings.ReplaceAll(text, "let ", "let\r\n"+run),
			strings.ReplaceAll(text, "; ", ";"+run+"\n"),
			strings.ReplaceAll(text, " in (", run+"\n"+run+"in ("),
		} {
			if got := ircheck.Parse(t, wide).String(); got != want {
				t.Fatalf("%s: got\n%s\nwant\n%s", wide, got, want)
			}
		}
	}
}

// Mistakes in a text are errors with the place.
func TestParseErrors(t *testing.T) {
	deep := strings.Repeat("{ lambda ; . let jit[name=f jaxpr=", 1200)
	for _, c := range []struct{ text, at, want string }{
		{"", "1:1", "expected {"},
		{"{ lambda ; . let  in () } x", "1:27", "expected the end"},
		{"{ lamda ; . let  in () }", "1:3", "expected lambda"},
		{"{ lambda . let  in () }", "1:10", "expected ;"},
		{"{ lambda ; a:f32[] let  in () }", "1:20", "expected ."},
		{"{ lambda ; a:f32[]. let  in (b,) }", "1:30", "variable b is not bound"},
		{"{ lambda ; a:f32[]. let\n    b:f32[] = sin c\n  in (b,) }", "2:19", "variable c is not bound"},
		{"{ lambda ; a:f32[] a:f32[]. let  in (a,) }", "1:20", "a is bound twice"},
		{"{ lambda ; a:f32[]. let a:f32[] = sin a in (a,) }", "1:25", "a is bound twice"},
		{"{ lambda ; a:f32. let  in (a,) }", "1:17", "expected ["},
		{"{ lambda ; a:f31[]. let  in (a,) }", "1:14", "f31 is not a dtype"},
		{"{ lambda ; a:float32[]. let  in (a,) }", "1:14", "write f32"},
		{"{ lambda ; a:f32[n]. let  in (a,) }", "1:18", "symbolic"},
		{"{ lambda ; a:f32[3@]. let  in (a,) }", "1:20", "expected ("},
		{"{ lambda ; a:f32[3@(i,j]. let  in (a,) }", "1:20", "expected ) after the mesh axes"},
		{"{ lambda ; a:f32[3]{V:i. let  in (a,) ", "1:20", "expected } after the mesh axes"},
		{"{ lambda ; a:f32[99999999999999999999]. let  in (a,) }", "1:18", "the size 99999999999999999999 is too large"},
		{"{ lambda ; a:f32<disk>[3]. let  in (a,) }", "1:14", "f32<disk> is not a dtype"},
		{"{ lambda ; a:f32[]. let b:f32[] = add a in (b,) }", "1:25", "takes 2 operands, got 1"},
		{"{ lambda ; a:f32[] b:f32[2]. let c:f32[] = add a b in (c,) }", "1:34", "operands must agree"},
		{"{ lambda ; a:f32[]. let b:f32[2] = sin a in (b,) }", "1:25", "sin of f32[] returns f32[], the text declares f32[2]"},
		{"{ lambda ; a:f32[]. let b:f32[] c:f32[] = sin a in (b,) }", "1:25", "sin returns 1 result, the text binds 2"},
		{"{ lambda ; a:f32[]. let b:f32[] = add a 1:f33[] in (b,) }", "1:43", "f33 is not a dtype"},
		{"{ lambda ; . let  in (1.5:i32[],) }", "1:23", "1.5 is not a number of type i32"},
		{"{ lambda ; . let  in (300:u8[],) }", "1:23", "300 is not a number of type u8"},
		{"{ lambda ; . let  in (true:bool[],) }", "1:23", "true is not a number of type bool"},
		{"{ lambda ; . let  in (1.0:float0[],) }", "1:23", "1.0 is not a number of type float0"},
		{"{ lambda ; . let  in (1_0:f32[],) }", "1:23", "not a number"},
		{"{ lambda ; . let  in (1.0:f32[2],) }", "1:23", "a literal is a scalar"},
		{"{ lambda ; . let  in ([...]:f32[3],) }", "1:23", "no value in text"},
		{"{ lambda ; . let  in (1.0,) }", "1:23", "with its type"},
		{"{ lambda ; a:Ref{f32[4,4]}. let b:f32[] <- a[0][1=2] in (b,) }", "1:48", "expected an index and ]"},
		{"{ lambda ; a:f32[]. let b:f32[] = frob[x=1 x=2] a in (b,) }", "1:44", "given twice"},
		{"{ lambda ; a:f32[]. let b:f32[] = frob[x] a in (b,) }", "1:40", "key=value"},
		{"{ lambda ; a:f32[]. let b:f32[] = frob[x=1 in (b,) }", "1:42", "has no end"},
		{"{ lambda ; a:f32[]. let b:f32[] = jit[name=f] a in (b,) }", "1:25", "parameter jaxpr: is missing"},
		{"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=g] a in (b,) }", "1:46", "parameter jaxpr: must be a program"},
		{"{ lambda ; a:f32[]. let b:f32[] = scan[\n  jaxpr={ lambda ; c:f32[]. let  in (c,) }\n  length=x num_carry=1 num_consts=0 reverse=False unroll=1] a in (b,) }", "3:3", "length: must be an integer"},
		{"let f = { lambda ; . let jit[name=f jaxpr=f]  in () } in { lambda ; . let jit[name=f jaxpr=f]  in () }", "1:37", "f contains itself"},
		{"let f = { lambda ; . let  in () } in let f = { lambda ; . let  in () } in { lambda ; . let  in () }", "1:42", "defined twice"},
		{"let f = { lambda ; . let  in (x,) } in { lambda ; . let  in () }", "1:31", "x is not bound"},
		{"{ lambda ; a:f32[]. let b:f32[] <- a[...] in (b,) }", "1:36", "a is no reference but f32[]"},
		{"{ lambda ; äö:f32[]. let  in () }", "1:12", "expected ."},
		{deep, fmt.Sprintf("1:%d", 1+34*1024), "nested deeper than 1024"},
	} {
		j, err := jaxpr.Parse(c.text, toyVo)
		if err == nil {
			t.Errorf("%.60q: reads as %v", c.text, j)
			continue
		}
		var p *jaxpr.ParseError
		var e *core.Error
		if !errors.Is(err, core.ErrParse) || !errors.As(err, &e) || !errors.As(err, &p) {
			t.Errorf("%.60q: no parse error: %v", c.text, err)
			continue
		}
		if at := fmt.Sprintf("%d:%d", p.Line, p.Col); at != c.at || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: at %s\n%v\nwant %s: %s", c.text, at, err, c.at, c.want)
		}
		line := strings.Split(p.Caret(), "\n")
		if len(line) != 2 || len([]rune(line[1])) > len([]rune(line[0]))+1 || !strings.HasSuffix(line[1], "^") {
			t.Errorf("%.60q: the caret points at nothing:\n%s", c.text, p.Caret())
		}
	}
	_, err := jaxpr.Parse("{ lambda ; a:f32[] b:f32[2]. let c:f32[] = add a b in (c,) }", toyVo)
	if !errors.Is(err, core.ErrShape) {
		t.Errorf("what the operation prints is lost: %v", err)
	}
}

// Texts that people write read as well, and print as JAX would.
func TestParseTolerance(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one line", "{lambda;a:f32[].let b:f32[]=sin a;c:f32[]=sin b in(c,)}", "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b in (c,) }"},
		{"names", "{ lambda ; x1:f32[] Loss:f32[]. let out:f32[] = add x1 Loss in (out) }", "{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }"},
		{"deeper and deeper", "{ lambda ; a:f32[]. let\n b:f32[] = sin a\n   c:f32[] = sin b\n     d:f32[] = sin c\n in (d,) }",
			"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b; d:f32[] = sin c in (d,) }"},
		{"tabs", "{ lambda ; a:f32[].\r\n\tlet\r\n\tb:f32[] = sin a\r\n\tin (b,) }", "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"},
		{"integers as floats", "{ lambda ; . let  in (2:f32[], -1:c64[], 2j:c64[]) }", "{ lambda ; . let  in (2.0:f32[], (-1+0j):c64[], 2j:c64[]) }"},
		{"effects", "{ lambda ; . let  in () : { Debug } }", "{ lambda ; . let  in () }"},
		{"definitions in any order, and one that nothing uses",
			"let unused = { lambda ; . let  in () } in let f = { lambda ; a:f32[]. let b:f32[] = jit[name=g jaxpr=g] a in (b,) } in\nlet g = { lambda ; a:f32[]. let  in (a,) } in { lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a in (b,) }",
			"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; a:f32[]. let b:f32[] = jit[name=g jaxpr={ lambda ; a:f32[]. let  in (a,) }] a in (b,) }] a in (b,) }"},
		{"parameters in any order", "{ lambda ; a:f32[]. let b:f32[] = jit[ jaxpr={ lambda ; c:f32[]. let  in (c,) }\n name=f ] a in (b,) }",
			"{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr={ lambda ; a:f32[]. let  in (a,) }] a in (b,) }"},
	} {
		ircheck.Prints(t, c.name, parse(t, c.text), c.want)
	}
}

// The difficult parts of the notation print as they were read.
func TestParseCorners(t *testing.T) {
	for name, text := range map[string]string{
		"a variable called in":        "{ lambda ; a:f32[] b:c64[]. let c:c64[] = frob b a (1+2j):c64[] in (c,) }",
		"no operands":                 "{ lambda ; . let a:f32[] = frob ; b:f32[] = frob  in (a, b) }",
		"no results":                  "{ lambda ; a:f32[]. let frob a; frob[x=1] a in () }",
		"numbers that are words":      "{ lambda ; a:f32[]. let b:f32[] = frob nan:f32[] -inf:f32[] a in (b,) }",
		"complex numbers":             "{ lambda ; . let  in (1j:c64[], (-0-1j):c64[], (1e-05-infj):c64[]) }",
		"elements of float0":          "{ lambda ; a:i32[]. let\n    b:float0[] = convert_element_type[\n      new_dtype=[('float0', 'V')]\n      weak_type=False\n    ] a\n  in (b, (b'',):float0[]) }",
		"zero tangents of integers":   "{ lambda ; . let a:float0[2] = frob 0.0:float0[] in (a, 0.0:float0[]) }",
		"brackets in strings":         "{ lambda ; a:f32[]. let b:f32[] = frob[t=PyTreeDef({']x ': *}) u=1] a in (b,) }",
		"a name with brackets":        "{ lambda ; a:f32[]. let b:f32[] = name[name=f(] a in (b,) }",
		"a name with blanks":          "{ lambda ; a:f32[]. let b:f32[] = frob[name=<unnamed function> x=1] a in (b,) }",
		"a word that is a definition": "let f = { lambda ; a:f32[]. let  in (a,) } in\n{ lambda ; b:f32[]. let\n    c:f32[] = jit[name=f jaxpr=f] b\n    d:f32[] = jit[name=f jaxpr=f] c\n    e:f32[] = frob[name=f rule=f] d\n  in (e,) }",
		"a tuple of words":            "{ lambda ; a:f32[]. let b:f32[] = frob[words=(jaxpr jaxpr)] a in (b,) }",
		"tokens, keys, references":    "{ lambda ; a:Tok b:key<fry>[2] c:Ref{f32[3]}. let  in (a, b, c) }",
		"donated":                     "{ lambda ; a:f32[]. let\n    b:f32[] = jit[\n      name=f\n      donated_invars=(True,)\n      jaxpr={ lambda ; a:f32[]. let  in (a,) }\n      keep_unused=True\n    ] a\n  in (b,) }",
		"one branch":                  "{ lambda ; a:i32[]. let\n    cond[branches=({ lambda ; . let  in () } { lambda ; . let  in () })] a\n  in () }",
		"swap and accumulate":         "{ lambda ; a:Ref{f32[4]} b:i32[] c:f32[]. let\n    d:f32[], a[b] <- a[b], c\n    a[:,b] += c\n    a[0:3:2] <- 1.0:f32[]\n    e:f32[] <- a[...]\n  in (d, e) }",
		"linear_call":                 "{ lambda ; a:f32[] b:f32[]. let\n    c:f32[] = linear_call[\n      callee={ lambda ; d:f32[] e:f32[]. let f:f32[] = frob d e in (f,) }\n      num_callee_consts=0\n      num_res=1\n      num_transpose_consts=0\n      transpose={ lambda ; g:f32[] h:f32[]. let i:f32[] = frob g h in (i,) }\n    ] a b\n  in (c,) }",
		"custom_vmap_call":            "{ lambda ; a:f32[]. let\n    b:f32[] = custom_vmap_call[\n      call={ lambda ; c:f32[]. let d:f32[] = frob c in (d,) }\n      in_tree=PyTreeDef(((), (*,)))\n      out_tree=PyTreeDef(*)\n      rule=<function rule at 0xXXXXXXXXXXXX>\n    ] a\n  in (b,) }",
	} {
		j, err := jaxpr.Parse(text, nil)
		if err == nil {
			err = jaxpr.Check(j)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := j.String(); got != text {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, text)
		}
	}
}

// An operand _ is the variable of that name whose type the equation takes; of several of one type that
// are all read, in order. Results _ of a called program have the types that the caller binds.
func TestParseBlank(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{ lambda ; a:f32[]. let _:f32[] = sin a; b:f32[] = sin _ in (b,) }", "{ lambda ; a:f32[]. let c:f32[] = sin a; b:f32[] = sin c in (b,) }"},
		{"{ lambda ; _:f32[]. let b:f32[] = add _ _ in (b,) }", "{ lambda ; a:f32[]. let b:f32[] = add a a in (b,) }"},
		{"{ lambda ; a:f32[]. let _:f32[] = sin a in (_, _) }", "{ lambda ; a:f32[]. let b:f32[] = sin a in (b, b) }"},
		{"{ lambda ; a:f32[] d:f32[2]. let _:f32[2] = add d d; _:f32[] = add a a; b:f32[2] = add d _; c:f32[] = add _ a in (b, c) }",
			"{ lambda ; a:f32[] d:f32[2]. let e:f32[2] = add d d; f:f32[] = add a a; b:f32[2] = add d e; c:f32[] = add f a in (b, c) }"},
		{"{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = add a a; b:f32[] = add _ _ in (b,) }",
			"{ lambda ; a:f32[]. let c:f32[] = sin a; d:f32[] = add a a; b:f32[] = add c d in (b,) }"},
		{"{ lambda ; a:f32[] d:f32[2]. let _:f32[] = sin a; _:f32[2] = add d d; b:f32[] = frob _ _ in (b,) }",
			"{ lambda ; a:f32[] d:f32[2]. let c:f32[] = sin a; e:f32[2] = add d d; b:f32[] = frob c e in (b,) }"},
		{"{ lambda ; a:f32[] d:f32[2]. let _:f32[2] _:f32[] = jit[name=f jaxpr={ lambda ; a:f32[] d:f32[2]. let _:f32[] = sin a; _:f32[2] = add d d in (_, _) }] a d in (a,) }",
			"{ lambda ; a:f32[] d:f32[2]. let _:f32[2] _:f32[] = jit[name=f jaxpr={ lambda ; a:f32[] d:f32[2]. let b:f32[] = sin a; c:f32[2] = add d d in (c, b) }] a d in (a,) }"},
	} {
		ircheck.Prints(t, c.text, parse(t, c.text), parse(t, c.want).String())
	}
	for _, c := range []struct{ text, want string }{
		{"{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = add a a; b:f32[] = sin _ in (b,) }", "_ is read: it may be f32[] of line 1, column 25, or f32[] of line 1, column 42; give the results names"},
		{"{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = add a a in (_,) }", "_ is read: it may be f32[]"},
		{"{ lambda ; a:f32[] d:f32[2]. let _:f32[] = sin a; _:f32[2] = add d d; b:f32[] = frob _ in (b,) }", "it may be f32[] of line 1, column 34, or f32[2] of line 1, column 51"},
		{"{ lambda ; a:f32[] d:f32[2]. let _:f32[2] = add d d; _:i32[] = frob; b:f32[] = sin _ in (b,) }", "sin"},
		{"{ lambda ; . let in (_,) }", "nothing is bound under that name"},
		{"{ lambda ; . let a:f32[] = sin _ in (a,) }", "nothing is bound under that name"},
	} {
		if j, err := jaxpr.Parse(c.text, toyVo); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v", c.text, j, err)
		}
	}
	j := parse(t, "{ lambda ; a:f32[]. let _:f32[] = sin a; _:f32[] = add a a in (_, a, _) }")
	if j.Outs[0] != jaxpr.Atom(j.Eqns[0].Outs[0]) || j.Outs[2] != jaxpr.Atom(j.Eqns[1].Outs[0]) {
		t.Error("two _ as results are not the two in order")
	}
}

// Weak marks are not in a text: they come from the operations.
func TestParseWeak(t *testing.T) {
	voc := jaxpr.Vocabulary{"weaken": func(*jaxpr.ParamReader) core.Primitive { return weakenP{} }, "add": toyVo["add"]}
	j, err := jaxpr.Parse("{ lambda ; a:f32[]. let b:f32[] = weaken a; c:f32[] = add b b; d:f32[] = add c a in (c, d) }", voc)
	if err != nil {
		t.Fatal(err)
	}
	if a := j.Outs[0].Aval(); !a.Weak {
		t.Errorf("c is %v", a.Full())
	}
	if a := j.Outs[1].Aval(); a.Weak {
		t.Errorf("d is %v", a.Full())
	}
}

type weakenP struct{}

func (weakenP) Name() string { return "weaken" }
func (weakenP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	return []core.ShapedArray{{Shape: in[0].Shape, DType: in[0].DType, Weak: true}}
}

// A part of a text that Weft does not support makes the primitive opaque. It is never dropped silently.
func TestParseOpaque(t *testing.T) {
	voc := jaxpr.Vocabulary{
		"neg": func(r *jaxpr.ParamReader) core.Primitive { return sinP },
		"cut": func(r *jaxpr.ParamReader) core.Primitive { r.MustBe("sharding", "None"); return sinP },
	}
	for _, c := range []struct{ eqn, why string }{
		{"neg a", ""},
		{"cut[sharding=None] a", ""},
		{"cut[sharding=P('x')] a", "its parameter sharding is P('x'); supported: None"},
		{"neg[accuracy=1] a", "its parameter accuracy is not supported"},
		{"frob[x=1] a", "it is not in the vocabulary"},
		{"linear_call[callee={ lambda ; b:f32[]. let  in (b,) } transpose_thunk=t] a", "its transpose is not in the text; write the equations instead of the call"},
	} {
		j, err := jaxpr.Parse("{ lambda ; a:f32[]. let z:f32[] = "+c.eqn+" in (z,) }", voc)
		if err != nil {
			t.Errorf("%s: %v", c.eqn, err)
			continue
		}
		why, out := jaxpr.Outside(j.Eqns[0].Prim)
		if why != c.why || out != (c.why != "") {
			t.Errorf("%s: %q, want %q", c.eqn, why, c.why)
		}
	}
}

// Parentheses that are never closed are not read as a broken empty tuple.
func TestOnlyABrokenTupleIsEmpty(t *testing.T) {
	for _, c := range []struct{ in, want string }{{"()", "()"}, {"(\n    )", "()"}, {"((", "(("}, {"(((", "((("}, {"(())", "(())"}} {
		j, err := jaxpr.Parse("{ lambda ; a:f32[]. let b:f32[] = frob[x="+c.in+"] a in (b,) }", nil)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if want := "frob[x=" + c.want + "]"; !strings.Contains(j.String(), want) {
			t.Errorf("%q reads as %v, want %s", c.in, j, want)
		}
	}
}
