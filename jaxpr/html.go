package jaxpr

import (
	"fmt"
	"html"
	"strings"

	"github.com/weft-go/weft/core"
)

// HTML returns the program as a page of its own: see [HTMLPage].
func (j *Jaxpr) HTML(title string) string {
	core.RequireReceiver("jaxpr.Jaxpr.HTML", j == nil)
	return HTMLPage(title, HTMLView{Program: j})
}

// An HTMLView is a program on a page, under a heading.
type HTMLView struct {
	Heading string
	Program *Jaxpr
}

// HTMLPage returns a page that shows programs beside each other, such as before and after a
// transformation. Pointing at a variable shows its type and where it is bound and used; a click on
// the brace of a program within another folds it, and one on the name of a shared program goes
// to it; the line of the source stands after each equation, where it is known; a search marks
// what it finds and unfolds it. The page loads nothing.
func HTMLPage(title string, views ...HTMLView) string {
	s := &htmlSink{}
	s.b.WriteString("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html.EscapeString(title) + "</title>\n")
	s.b.WriteString("<style>" + pageStyle + "</style></head>\n<body><h1>" + html.EscapeString(title) + "</h1>\n")
	s.b.WriteString(pageBar)
	s.b.WriteString("<div class=views>")
	for i, v := range views {
		s.b.WriteString("<section>")
		if v.Heading != "" {
			s.b.WriteString("<h2>" + html.EscapeString(v.Heading) + "</h2>")
		}
		s.view, s.ids = i, map[*Var]int{}
		s.b.WriteString("<pre>")
		p := newPrinter(v.Program, Options{Sites: true})
		p.marks = true
		p.print(s)
		s.flush()
		s.b.WriteString("</pre>\n<details><summary>Equations by primitive</summary><pre>")
		s.b.WriteString(html.EscapeString(Stats(v.Program).String()))
		s.b.WriteString("</pre></details></section>")
	}
	s.b.WriteString("</div>\n<script>" + pageScript + "</script></body></html>\n")
	return s.b.String()
}

type htmlSink struct {
	b     strings.Builder
	ids   map[*Var]int
	view  int    // the number of the program on the page
	site  string // of the equation on this line
	first bool   // the next text opens a program
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
	s.flush()
	s.b.WriteByte('\n')
	s.b.WriteString(strings.Repeat(" ", indent))
}

// note receives the line of the source that wrote the equation.
func (s *htmlSink) note(t string) {
	if t != unknownSite {
		s.site = t
	}
}

// flush ends a line: the source is shown after it without being a part of the text.
func (s *htmlSink) flush() {
	if s.site != "" {
		s.b.WriteString("<span class=site data-site=\"" + html.EscapeString(s.site) + "\"></span>")
		s.site = ""
	}
}

func (s *htmlSink) mark(m any) {
	switch m := m.(type) {
	case varMark:
		id, ok := s.ids[m.v]
		if !ok {
			id = len(s.ids)
			s.ids[m.v] = id
		}
		fmt.Fprintf(&s.b, "<span class=v data-v=%d-%d title=\"%s\">", s.view, id, html.EscapeString(m.v.Type.Full()))
	case typeMark:
		s.b.WriteString("<span class=\"t " + kindClass(m.a.DType) + "\">")
	case literalMark:
		s.b.WriteString("<span class=n>")
	case keywordMark:
		s.b.WriteString("<span class=k>")
	case primMark:
		s.b.WriteString("<span class=p>")
	case defMark:
		s.b.WriteString("<span class=d id=\"" + html.EscapeString(s.anchor(m.name)) + "\">")
	case refMark:
		s.b.WriteString("<span><a class=d href=\"" + html.EscapeString("#"+s.anchor(m.name)) + "\">")
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

func (s *htmlSink) anchor(name string) string { return fmt.Sprintf("def-%d-%s", s.view, name) }

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

const pageBar = `<div class=bar><input id=search type=search placeholder="search: a name, a type, an operation, a line" size=44 autofocus>
<button id=next>next</button> <span id=count></span> <button id=fold>fold all</button> <button id=unfold>unfold all</button>
<label><input id=sites type=checkbox checked> source lines</label> <output id=type></output></div>
`

const pageStyle = `
body{font-family:system-ui,sans-serif;margin:0 2em 2em;background:#fcfcfa;color:#222}
h1{font-size:1.1em;font-weight:600}h2{font-size:1em;font-weight:600;margin:.5em 0}
pre{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
.bar{position:sticky;top:0;padding:.5em 0;background:inherit;border-bottom:1px solid #8884;z-index:1;font-size:13px}
#type{font:13px ui-monospace,Menlo,Consolas,monospace;margin-left:1em}
.views{display:flex;gap:2em;align-items:flex-start}section{min-width:0;flex:1;overflow-x:auto}
.k{color:#888}.p{color:#0550ae;font-weight:600}.n{color:#953800}.d{color:#6639ba;font-weight:600}
.tf{color:#1a7f37}.ti{color:#9a6700}.tc{color:#8250df}.tb{color:#cf222e}.tk{color:#57606a}
.v{border-radius:3px;cursor:default}.v.on{background:#ffe58a;outline:1px solid #d4a72c}
.hit{background:#b6e3ff;border-radius:3px}.hit.at{background:#54aeff}
.site::after{content:"  # " attr(data-site);color:#8c959f}body.nosites .site::after{content:""}
.fold{cursor:pointer;color:#0969da;border-bottom:1px dotted}
.g.shut>.body{display:none}.g.shut>.fold::after{content:" … }"}
@media(prefers-color-scheme:dark){body{background:#15181c;color:#d8dee4}.p{color:#79c0ff}.n{color:#ffa657}
.tf{color:#7ee787}.ti{color:#e3b341}.tc{color:#d2a8ff}.tb{color:#ff7b72}.d{color:#d2a8ff}.v.on{background:#5c4a00}
.hit{background:#0c2d6b}.hit.at{background:#1158c7}}
`

const pageScript = `
const $=id=>document.getElementById(id),all=q=>[...document.querySelectorAll(q)];
function light(v,on){all('[data-v="'+v.dataset.v+'"]').forEach(e=>e.classList.toggle('on',on));
$('type').textContent=on?v.textContent+' : '+v.title:''}
document.addEventListener('mouseover',e=>{let v=e.target.closest('.v');if(v)light(v,true)});
document.addEventListener('mouseout',e=>{let v=e.target.closest('.v');if(v)light(v,false)});
document.addEventListener('click',e=>{if(e.target.classList.contains('fold'))e.target.parentNode.classList.toggle('shut')});
let hits=[],at=-1;
function open(e){for(let g=e.closest('.g.shut');g;g=g.parentNode.closest('.g.shut'))g.classList.remove('shut')}
function find(){let q=$('search').value.trim().toLowerCase();all('.hit').forEach(e=>e.classList.remove('hit','at'));
hits=q?all('section>pre:first-of-type :is(.v,.p,.d,.n,.t,.site)').filter(e=>(e.textContent+' '+(e.dataset.site||'')+' '+(e.title||'')).toLowerCase().includes(q)):[];
hits.forEach(e=>{e.classList.add('hit');open(e)});at=-1;$('count').textContent=q?hits.length+' found':''}
function next(){if(!hits.length)return;if(hits[at])hits[at].classList.remove('at');at=(at+1)%hits.length;let e=hits[at];
open(e);e.classList.add('at');e.scrollIntoView({block:'center'});$('count').textContent=(at+1)+' of '+hits.length}
$('search').addEventListener('input',find);$('search').addEventListener('keydown',e=>{if(e.key=='Enter')next()});
$('next').addEventListener('click',next);
$('fold').addEventListener('click',()=>all('.g').forEach(g=>g.classList.add('shut')));
$('unfold').addEventListener('click',()=>all('.g').forEach(g=>g.classList.remove('shut')));
$('sites').addEventListener('change',e=>document.body.classList.toggle('nosites',!e.target.checked));
`
