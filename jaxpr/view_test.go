package jaxpr_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

var tag = regexp.MustCompile(`<[^>]*>`)

// The page without its tags is the text, its tags close, and every variable is
// marked wherever it stands.
func TestHTML(t *testing.T) {
	for _, g := range goldens(t) {
		j, err := jaxpr.Parse(g.text(), nil)
		if err != nil {
			t.Fatal(err)
		}
		page := j.HTML(g.Name)
		_, body, _ := strings.Cut(page, "<pre>")
		body, _, _ = strings.Cut(body, "</pre>")
		if got := html.UnescapeString(tag.ReplaceAllString(body, "")); got != j.String() {
			t.Fatalf("%s: the page differs (-text +page)\n%s", g.Name, cmp.Diff(j.String(), got))
		}
		var open []string
		for _, s := range tag.FindAllString(body, -1) {
			name := strings.Trim(strings.Fields(s)[0], "</>")
			if s[1] != '/' {
				open = append(open, name)
			} else if len(open) == 0 || open[len(open)-1] != name {
				t.Fatalf("%s: %s closes nothing", g.Name, s)
			} else {
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Fatalf("%s: %v stays open", g.Name, open)
		}
	}
	page := parse(t, "{ lambda ; a:f32[]. let b:f32[] = add a a; c:f32[] = add b a in (c, b) }").HTML("<x>")
	if n := strings.Count(page, "data-v=0-0 "); n != 4 {
		t.Errorf("a is marked %d times, want 4", n)
	}
	if strings.Contains(page, "<x>") || strings.Contains(page, "http") {
		t.Error("the title is not escaped, or the page loads something")
	}
}

func TestDOT(t *testing.T) {
	got := parse(t, `{ lambda ; a:f32[]. let
		b:f32[] = sin a
		_:f32[] = add b 2.0:f32[]
		c:f32[] = jit[name=f jaxpr={ lambda ; d:f32[]. let e:f32[] = sin d in (e,) }] b
		in (c, 1.0:f32[]) }`).DOT()
	want := `digraph jaxpr {
  compound=true; rankdir=TB; fontname=monospace;
  node [fontname=monospace fontsize=10 shape=box style=rounded]; edge [fontname=monospace fontsize=8];
  p0 [shape=point style=invis];
  p0_in0 [shape=ellipse label="a:f32[]"];
  p0_e0 [label="b = sin"];
  p0_in0 -> p0_e0 [label="f32[]"];
  p0_e1 [label="_ = add 2.0"];
  p0_e0 -> p0_e1 [label="f32[]"];
  p0_e2 [label="c = jit\nname=f"];
  p0_e0 -> p0_e2 [label="f32[]"];
  p0_out0 [shape=ellipse style=bold label="f32[]"];
  p0_e2 -> p0_out0 [label="f32[]"];
  p0_out1 [shape=ellipse style=bold label="1.0:f32[]"];
  subgraph cluster_1 {
    p1 [shape=point style=invis];
    p1_in0 [shape=ellipse label="b:f32[]"];
    p1_e0 [label="c = sin"];
    p1_in0 -> p1_e0 [label="f32[]"];
    p1_out0 [shape=ellipse style=bold label="f32[]"];
    p1_e0 -> p1_out0 [label="f32[]"];
  }
  p0_e2 -> p1 [style=dashed lhead=cluster_1];
}
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestStats(t *testing.T) {
	got := jaxpr.Stats(parse(t, `let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in
		{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a; c:f32[] = jit[name=f jaxpr=f] b in (c,) }`)).String()
	want := "      2  jit\n      1  sin\n      3  equations in 2 programs, nested 2 deep\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// The options set the width of lines, and show effects and the lines of the user's program.
func TestOptions(t *testing.T) {
	j := parse(t, "{ lambda ; a:f32[]. let b:f32[] = say a; c:f32[] = sin b in (c,) }")
	want := "{ lambda ; a:f32[]. let\n    b:f32[] = say a\n    c:f32[] = sin b\n  in (c,) : { IO } }"
	if got := j.Text(jaxpr.Options{Width: 40, Effects: true}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := jaxpr.DCE(parse(t, "{ lambda ; . let  in () }")).Text(jaxpr.Options{Effects: true}); got != "{ lambda ; . let  in () : {  } }" {
		t.Errorf("no effects: %s", got)
	}

	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 100))
	y := b.Eqn(sinP, x)[0]
	z := b.Eqn(sinP, y)[0]
	got := b.Build(z).Text(jaxpr.Options{Sites: true, Width: 30})
	line := regexp.MustCompile(`^(.{26}) # view_test.go:\d+ \(jaxpr_test.TestOptions\)$`)
	lines := strings.Split(got, "\n")
	if len(lines) != 4 || line.FindString(lines[1]) == "" || line.FindString(lines[2]) == "" || lines[3] != "  in (c,) }" {
		t.Errorf("the lines of the program:\n%s", got)
	}
	b = jaxpr.NewBuilder()
	x = b.Input(f32)
	z = b.Eqn(sinP, b.Eqn(sinP, x)[0])[0]
	lines = strings.Split(b.Build(z).Text(jaxpr.Options{Sites: true}), "\n")
	if len(lines) != 2 || strings.Index(lines[0], " # view_test") != strings.Index(lines[1], " # view_test") {
		t.Errorf("two lines of the program for one of text:\n%s", strings.Join(lines, "\n"))
	}
}

// TestHTMLPage checks a page of two programs: each has its own variables, anchors and heading.
func TestHTMLPage(t *testing.T) {
	j := parse(t, "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }")
	page := jaxpr.HTMLPage("pair", jaxpr.HTMLView{Heading: "before <", Program: j}, jaxpr.HTMLView{Heading: "after", Program: j})
	for _, want := range []string{"<h2>before &lt;</h2>", "<h2>after</h2>", "data-v=0-0 ", "data-v=1-0 ", "id=search", "id=fold", "id=type", `title="f32[]"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(page, "data-site") && strings.Contains(page, "unknown") {
		t.Error("the page shows unknown lines of the source")
	}
}

// TestWeakMarks checks the option that marks weak types.
func TestWeakMarks(t *testing.T) {
	v := jaxpr.NewVar(core.ShapedArray{DType: core.Float32, Weak: true})
	j := &jaxpr.Jaxpr{Ins: []*jaxpr.Var{v}, Outs: []jaxpr.Atom{v}}
	if got, want := j.Text(jaxpr.Options{Weak: true}), "{ lambda ; a:~f32[]. let  in (a,) }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := j.String(), "{ lambda ; a:f32[]. let  in (a,) }"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestReadWeakMarks reads texts with weak marks, which must be what the operations give.
func TestReadWeakMarks(t *testing.T) {
	const text = "{ lambda ; a:~f32[]. let b:~f32[] = sin a; c:~f32[] = mul b 2.0:~f32[] in (c,) }"
	if got := parse(t, text).Text(jaxpr.Options{Weak: true, Width: 200}); got != text {
		t.Errorf("got %s, want %s", got, text)
	}
	_, err := jaxpr.Parse("{ lambda ; a:f32[]. let b:~f32[] = sin a in (b,) }", toyVo)
	if err == nil || !strings.Contains(err.Error(), "has the strong type f32[], the text declares ~f32[]; remove the mark") {
		t.Errorf("a mark on a strong result: got %v", err)
	}
	if _, err := jaxpr.Parse("{ lambda ; a:~~f32[]. let  in (a,) }", toyVo); err == nil {
		t.Error("two marks are read")
	}
}

// TestHTMLFoldsSharedPrograms checks that a page can fold a program that is shared, as the one that
// lies within an equation, and leaves the outermost open.
func TestHTMLFoldsSharedPrograms(t *testing.T) {
	j := parse(t, `let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in
{ lambda ; c:f32[]. let
    d:f32[] = jit[name=f jaxpr=f] c
    e:f32[] = jit[name=f jaxpr=f] d
    g:f32[] = jit[name=g jaxpr={ lambda ; h:f32[]. let i:f32[] = sin h in (i,) }] e
  in (g,) }`)
	page := j.HTML("shared")
	if got := strings.Count(page, "<a class=fold>{</a>"); got != 2 {
		t.Errorf("got %d programs to fold, want the shared one and the one within an equation:\n%s", got, page)
	}
	if open, shut := strings.Count(page, "<span"), strings.Count(page, "</span>"); open != shut {
		t.Errorf("%d spans are opened and %d closed", open, shut)
	}
}
