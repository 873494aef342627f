package promote

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// String returns the report with at most twelve counterexamples of each sort.
func (r *Report) String() string {
	core.RequireReceiver("promote.Report.String", r == nil)
	return r.Text(12)
}

// Text returns the report with at most limit counterexamples of each sort; 0 is no
// limit.
func (r *Report) Text(limit int) string {
	core.RequireReceiver("promote.Report.Text", r == nil)
	w := &reportWriter{limit: limit}
	if r.Table {
		w.line("%s: table of %s", r.Name, count(r.Elements, "element"))
	} else {
		w.line("%s: graph of %s and %s", r.Name, count(r.Elements, "node"), count(r.Edges, "edge"))
	}
	w.line("verdict: %s", r.VerdictText())
	for _, f := range r.Faults {
		w.line("  %s", f)
	}
	for _, n := range r.Notes {
		w.line("note: %s", n)
	}
	if r.Verdict == Malformed {
		return w.String()
	}
	if !r.Table {
		r.joins(w)
	}
	r.laws(w)
	if r.Order != nil {
		r.ownOrder(w)
	}
	if r.Score != nil {
		r.score(w)
	}
	return w.String()
}

// VerdictText returns the verdict in words. If the verdict on a table is Partial, and some elements
// are not their own join, the words include the number of elements for which the verdict holds.
func (r *Report) VerdictText() string {
	core.RequireReceiver("promote.Report.VerdictText", r == nil)
	if r.Table && r.Verdict == Partial && len(r.Order.Elements) < r.Elements {
		return fmt.Sprintf("%s, and that on %d of its %d elements", r.Verdict, len(r.Order.Elements), r.Elements)
	}
	return r.Verdict.String()
}

func (r *Report) joins(w *reportWriter) {
	w.line("pairs: %d; without an upper bound %d, ambiguous %d", r.Pairs, len(r.NoJoin), len(r.Ambiguous))
	w.list(len(r.NoJoin), func(i int) string {
		return fmt.Sprintf("no upper bound for (%s, %s)", r.NoJoin[i].A, r.NoJoin[i].B)
	})
	w.list(len(r.Ambiguous), func(i int) string {
		p := r.Ambiguous[i]
		return fmt.Sprintf("(%s, %s) not unique: %s, unorderable", p.A, p.B, strings.Join(shorten(r.Candidates(p), 8), " and "))
	})
	if len(r.Components) > 1 {
		w.line("parts without a connection: %d", len(r.Components))
		w.list(len(r.Components), func(i int) string {
			return fmt.Sprintf("%s: %s", r.Components[i].Verdict, strings.Join(shorten(r.Components[i].Nodes, 40), " "))
		})
	}
}

func (r *Report) laws(w *reportWriter) {
	l := r.Laws
	if r.Table {
		w.line("undefined cells: %d of %d", l.Undefined, r.Elements*r.Elements)
	}
	w.line("commutative: %s", yesNo(len(l.NonCommutative), "pair"))
	w.list(len(l.NonCommutative), func(i int) string {
		p := l.NonCommutative[i]
		return fmt.Sprintf("(%s, %s)", p.A, p.B)
	})
	w.line("idempotent: %s", yesNo(len(l.NonIdempotent), "element"))
	w.list(len(l.NonIdempotent), func(i int) string { return l.NonIdempotent[i] })
	if !l.Counted {
		w.line("associative: not counted, %d triples are too many", l.Triples)
		return
	}
	w.line("associative: %s; of %d triples %d agree, %d are undefined both ways, %d differ, %d are defined one way only",
		yesNo(l.BothDefined+l.OneSide, "triple"), l.Triples, l.Equal, l.BothUndefined, l.BothDefined, l.OneSide)
	w.total = l.BothDefined + l.OneSide
	w.list(len(l.Bad), func(i int) string {
		t := l.Bad[i]
		return fmt.Sprintf("(%s∘%s)∘%s = %s, %s∘(%s∘%s) = %s", t.A, t.B, t.C, t.Left, t.A, t.B, t.C, t.Right)
	})
}

func (r *Report) ownOrder(w *reportWriter) {
	o := r.Order
	if o.Reduction == nil {
		return
	}
	w.line("order read off %s: %s after transitive reduction", count(len(o.Elements), "idempotent element"), count(len(o.Reduction.has), "edge"))
	w.list(len(o.Elements), func(i int) string {
		up := o.Reduction.Successors(o.Elements[i])
		if len(up) == 0 {
			return o.Elements[i]
		}
		return o.Elements[i] + " → " + strings.Join(shorten(up, 40), " ")
	})
	w.line("order transitive: %s", yesNo(len(o.NotTransitive), "triple"))
	w.list(len(o.NotTransitive), func(i int) string {
		t := o.NotTransitive[i]
		return fmt.Sprintf("%s ≤ %s ≤ %s, but not %s ≤ %s", t.A, t.B, t.C, t.A, t.C)
	})
	w.line("the table is the joins of its order: %s", yesNo(len(o.Differ), "cell"))
	w.list(len(o.Differ), func(i int) string {
		d := o.Differ[i]
		return fmt.Sprintf("(%s, %s) is %s, the join is %s", d.Row, d.Col, d.A, d.B)
	})
}

func (r *Report) score(w *reportWriter) {
	s := r.Score
	w.line("score of strong pairs: wider %d, overflow %d, precision lost %d, component dropped %d; of all pairs: ambiguous %d, undefined %d",
		len(s.Wider), len(s.Overflow), len(s.Precision), len(s.Dropped), s.Ambiguous, s.Undefined)
	for _, x := range []struct {
		name  string
		cells []Cell
	}{{"wider than both", s.Wider}, {"overflows", s.Overflow}, {"loses precision", s.Precision}, {"drops a component", s.Dropped}} {
		w.list(len(x.cells), func(i int) string {
			c := x.cells[i]
			return fmt.Sprintf("%s: %s + %s = %s", x.name, c.Row, c.Col, c.Result)
		})
	}
}

// reportWriter writes lines, and lists that it cuts off.
type reportWriter struct {
	strings.Builder
	limit int
	total int // the length of the next list, if only its beginning was kept
}

func (w *reportWriter) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *reportWriter) list(n int, item func(i int) string) {
	total := max(n, w.total)
	w.total = 0
	for i := range n {
		if w.limit > 0 && i == w.limit {
			n = i
			break
		}
		w.line("  %s", item(i))
	}
	if n < total {
		w.line("  … and %d more", total-n)
	}
}

func shorten(names []string, n int) []string {
	if len(names) <= n {
		return names
	}
	return append(names[:n:n], fmt.Sprintf("%d more", len(names)-n))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func yesNo(faults int, what string) string {
	if faults == 0 {
		return "yes"
	}
	return "no, " + count(faults, what)
}
