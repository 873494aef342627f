package jaxpr

import (
	"fmt"
	"html"
	"strings"

	"github.com/weft-go/weft/core"
)

// HTML returns the program as a page of its own: the text, coloured. Pointing at a variable
// shows where it is bound and used; a click on the brace of a program within an equation folds
// it, and one on the name of a shared program goes to it.
func (j *Jaxpr) HTML(title string) string {
	s := &htmlSink{ids: map[*Var]int{}}
	s.b.WriteString("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html.EscapeString(title) + "</title>\n")
	s.b.WriteString("<style>" + pageStyle + "</style></head>\n<body><h1>" + html.EscapeString(title) + "</h1>\n<pre>")
	p := newPrinter(j, Options{})
	p.marks = true
	p.print(s)
	s.b.WriteString("</pre>\n<details><summary>Equations by primitive</summary><pre>")
	s.b.WriteString(html.EscapeString(Stats(j).String()))
	s.b.WriteString("</pre></details>\n<script>" + pageScript + "</script></body></html>\n")
	return s.b.String()
}

type htmlSink struct {
	b     strings.Builder
	ids   map[*Var]int
	first bool // the next text opens a program
}

func (s *htmlSink) text(t string) {
	if s.first {
		s.first = false
		if rest, ok := strings.CutPrefix(t, "{"); ok {
			s.b.WriteString("<a class=fold>{</a><span class=body>")
			t = rest
		}
	}
	s.b.WriteString(html.EscapeString(t))
}

func (s *htmlSink) newline(indent int) {
	s.b.WriteByte('\n')
	s.b.WriteString(strings.Repeat(" ", indent))
}

func (s *htmlSink) note(string) {}

func (s *htmlSink) mark(m any) {
	switch m := m.(type) {
	case varMark:
		id, ok := s.ids[m.v]
		if !ok {
			id = len(s.ids)
			s.ids[m.v] = id
		}
		fmt.Fprintf(&s.b, "<span class=v data-v=%d title=\"%s\">", id, html.EscapeString(m.v.Type.Full()))
	case typeMark:
		s.b.WriteString("<span class=\"t " + kindClass(m.a.DType) + "\">")
	case literalMark:
		s.b.WriteString("<span class=n>")
	case keywordMark:
		s.b.WriteString("<span class=k>")
	case primMark:
		s.b.WriteString("<span class=p>")
	case defMark:
		s.b.WriteString("<span class=d id=\"" + html.EscapeString("def-"+m.name) + "\">")
	case refMark:
		s.b.WriteString("<span><a class=d href=\"" + html.EscapeString("#def-"+m.name) + "\">")
	case programMark:
		s.b.WriteString("<span class=g>")
		s.first = true
	case endProgram:
		s.b.WriteString("</span></span>")
	case endRef:
		s.b.WriteString("</a></span>")
	case endMark:
		s.b.WriteString("</span>")
	}
}

func kindClass(dt core.DType) string {
	switch dt.Kind() {
	case core.KindFloat, core.KindMinorFloat:
		return "tf"
	case core.KindInt, core.KindUint:
		return "ti"
	case core.KindComplex:
		return "tc"
	case core.KindBool:
		return "tb"
	}
	return "tk"
}

const pageStyle = `
body{font-family:system-ui,sans-serif;margin:2em;background:#fcfcfa;color:#222}
h1{font-size:1.1em;font-weight:600}
pre{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
.k{color:#888}.p{color:#0550ae;font-weight:600}.n{color:#953800}.d{color:#6639ba;font-weight:600}
.tf{color:#1a7f37}.ti{color:#9a6700}.tc{color:#8250df}.tb{color:#cf222e}.tk{color:#57606a}
.v{border-radius:3px;cursor:default}.v.on{background:#ffe58a;outline:1px solid #d4a72c}
.fold{cursor:pointer;color:#0969da;border-bottom:1px dotted}
.g.shut>.body{display:none}.g.shut>.fold::after{content:" … }"}
@media(prefers-color-scheme:dark){body{background:#15181c;color:#d8dee4}.p{color:#79c0ff}.n{color:#ffa657}
.tf{color:#7ee787}.ti{color:#e3b341}.tc{color:#d2a8ff}.tb{color:#ff7b72}.d{color:#d2a8ff}.v.on{background:#5c4a00}}
`

const pageScript = `
function light(id,on){document.querySelectorAll('[data-v="'+id+'"]').forEach(e=>e.classList.toggle('on',on))}
document.addEventListener('mouseover',e=>{let v=e.target.closest('.v');if(v)light(v.dataset.v,true)});
document.addEventListener('mouseout',e=>{let v=e.target.closest('.v');if(v)light(v.dataset.v,false)});
document.addEventListener('click',e=>{if(e.target.classList.contains('fold'))e.target.parentNode.classList.toggle('shut')});
`
