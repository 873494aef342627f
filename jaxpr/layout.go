package jaxpr

// A doc is text that records where lines may break. A group whose contents fit on
// what is left of the line stays on it; otherwise the breaks that belong to it,
// not those of groups within it, become new lines. Programs are laid out without
// recursion, and the docs of equations are made when layout reaches them, so that
// a program of a million equations costs no more than its text.
type doc struct {
	kind docKind
	s    string      // of text, breaks and notes
	kids []*doc      // of cat; of nest and group, one
	make func() *doc // of lazy: makes kids[0]; of apart: makes the document
	mark any         // of marks
}

type docKind uint8

const (
	docText  docKind = iota
	docBreak         // s, or a new line
	docCat
	docNest // breaks within indent by 2 more
	docGroup
	docLazy  // made once, when layout comes to it
	docNote  // an annotation of the line on which it ends up; has no width
	docMark  // marks for the sink where something begins or ends; has no width
	docApart // a document of its own, laid out as if it began at column 0
)

func text(s string) *doc       { return &doc{kind: docText, s: s} }
func cat(ds ...*doc) *doc      { return &doc{kind: docCat, kids: ds} }
func nest(d *doc) *doc         { return &doc{kind: docNest, kids: []*doc{d}} }
func group(d *doc) *doc        { return &doc{kind: docGroup, kids: []*doc{d}} }
func lazy(f func() *doc) *doc  { return &doc{kind: docLazy, make: f} }
func apart(f func() *doc) *doc { return &doc{kind: docApart, make: f} }
func brk(s string) *doc        { return &doc{kind: docBreak, s: s} }
func note(s string) *doc       { return &doc{kind: docNote, s: s} }
func mark(m any) *doc          { return &doc{kind: docMark, mark: m} }

var (
	nothing   = cat()
	space     = text(" ")
	softSpace = brk(" ")
	softNone  = brk("")
	softSemi  = brk("; ")
	fillSpace = group(brk(" ")) // breaks by itself, so that a list with these fills lines
)

func join(sep *doc, ds []*doc) *doc {
	if len(ds) == 0 {
		return nothing
	}
	kids := make([]*doc, 0, 2*len(ds)-1)
	for i, d := range ds {
		if i > 0 {
			kids = append(kids, sep)
		}
		kids = append(kids, d)
	}
	return cat(kids...)
}

// force makes what a lazy doc stands for, once.
func (d *doc) force() *doc {
	if d.make != nil {
		d.kids = []*doc{d.make()}
		d.make = nil
	}
	return d.kids[0]
}

type sink interface {
	text(s string)
	newline(indent int)
	note(s string)
	mark(m any)
}

type layoutItem struct {
	indent int
	flat   bool
	d      *doc
}

type layouter struct {
	width   int
	out     sink
	probe   []*doc // scratch of fits
	written int    // bytes
	limit   int    // of bytes, if not 0: the rest is left out
}

func (l *layouter) run(d *doc) {
	col := 0
	stack := []layoutItem{{d: d}}
	text := func(s string) {
		l.out.text(s)
		col += len(s)
		l.written += len(s)
	}
	for len(stack) > 0 && (l.limit == 0 || l.written <= l.limit) {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		d := it.d
		switch d.kind {
		case docText:
			text(d.s)
		case docBreak:
			if it.flat {
				text(d.s)
			} else {
				l.out.newline(it.indent)
				col = it.indent
				l.written += len("\n") + it.indent
			}
		case docApart:
			limit := 0
			if l.limit > 0 {
				limit = l.limit - l.written + 1
			}
			n := lengthOf(d, l.out, limit)
			col += n
			l.written += n
		case docCat:
			for i := len(d.kids) - 1; i >= 0; i-- {
				stack = append(stack, layoutItem{it.indent, it.flat, d.kids[i]})
			}
		case docNest:
			stack = append(stack, layoutItem{it.indent + 2, it.flat, d.kids[0]})
		case docGroup:
			stack = append(stack, layoutItem{it.indent, l.fits(d.kids[0], l.width-col), d.kids[0]})
		case docLazy:
			stack = append(stack, layoutItem{it.indent, it.flat, d.force()})
			d.kids = nil // so that printed documents can be collected
		case docNote:
			l.out.note(d.s)
		case docMark:
			l.out.mark(d.mark)
		}
	}
}

// fits reports whether d, on one line, takes at most room columns. It looks no
// further than that.
func (l *layouter) fits(d *doc, room int) bool {
	st := append(l.probe[:0], d)
	for len(st) > 0 && room >= 0 {
		d := st[len(st)-1]
		st = st[:len(st)-1]
		switch d.kind {
		case docText, docBreak:
			room -= len(d.s)
		case docCat:
			for i := len(d.kids) - 1; i >= 0; i-- {
				st = append(st, d.kids[i])
			}
		case docLazy:
			st = append(st, d.force())
		case docNest, docGroup:
			st = append(st, d.kids[0])
		case docApart:
			room -= lengthOf(d, nowhere{}, room+1)
		}
	}
	l.probe = st[:0]
	return room >= 0
}

// lengthOf lays out d, of kind docApart, to out and returns its length in bytes. A limit other than
// 0 ends the layout there.
func lengthOf(d *doc, out sink, limit int) int {
	l := &layouter{width: defaultWidth, out: out, limit: limit}
	l.run(d.make())
	return l.written
}
