package promotecmd

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/promote"
)

func (c *command) listSystems() error {
	rows := [][]string{{"system", "what it is"}}
	for _, s := range append(promote.Systems(), promote.Graphs()...) {
		rows = append(rows, []string{s.Name(), promote.About(s)})
	}
	return c.write(rows)
}

// write prints rows in the format of --format; the first row is the header.
func (c *command) write(rows [][]string) error {
	_, err := fmt.Fprint(c.out, promote.FormatRows(rows, c.format))
	return err
}

func (c *command) promoteTypes(words []string) error {
	systems, err := c.systems()
	if err != nil {
		return err
	}
	rows := [][]string{{"system", "result", "", "loses", "why"}}
	if c.system == "" || !known(systems[0], words) {
		// Words are types or numbers; only a system of one's own has other elements.
		ops := make([]promote.Operand, len(words))
		for i, w := range words {
			if ops[i], err = operand(w); err != nil {
				return err
			}
		}
		if c.system == "" && c.format == "text" {
			fmt.Fprint(c.out, headline(words, ops))
		}
		for _, s := range systems {
			rows = append(rows, promoted(s, ops, c.system != ""))
		}
		return c.write(rows)
	}
	return c.write(append(rows, joined(systems[0], words)))
}

// known reports whether all words are elements of s, and neither types nor numbers.
func known(s promote.System, words []string) bool {
	all := true
	for _, w := range words {
		_, element := s.Algebra().Find(w)
		_, err := operand(w)
		all = all && element && err != nil
	}
	return all
}

// promoted returns the row of a system: its name, the result, the element type of a weak result, what operands can
// lose in it, and the paths up the lattice. If the system refuses the operands, the last cell has the reason, and if
// there is room, advice.
func promoted(s promote.System, ops []promote.Operand, room bool) []string {
	t, err := fold(s, ops)
	if err != nil {
		return []string{s.Name(), "-", "", "", reason(err, room)}
	}
	result, is := name(s, t), ""
	if t.Weak {
		is = "weak " + t.DType.String()
	}
	return []string{s.Name(), result, is, loss(ops, t.DType), why(s, elements(s, ops))}
}

// fold joins operands. Results that no array can have, such as MAX's index, are shown too.
func fold(s promote.System, ops []promote.Operand) (t promote.Type, err error) {
	t.DType, t.Weak, err = promote.ResultOf(s, 32, ops...)
	if _, values := s.(promote.ValueSystem); err == nil || values {
		return t, err
	}
	t = ops[0].Type
	for _, o := range ops[1:] {
		if t, err = s.Join(t, o.Type); err != nil {
			return t, err
		}
	}
	return t, nil
}

func name(s promote.System, t promote.Type) string {
	if n, ok := promote.ElementOf(s, t); ok {
		return n
	}
	return t.String()
}

func elements(s promote.System, ops []promote.Operand) []string {
	out := make([]string, len(ops))
	for i, o := range ops {
		out[i] = name(s, o.Type)
	}
	return out
}

// why explains a result: the ways up to it, pair by pair, or for a system without a graph, what the system is.
func why(s promote.System, elements []string) string {
	if promote.GraphOf(s) == nil {
		return promote.About(s)
	}
	var steps []string
	left := elements[0]
	for _, right := range elements[1:] {
		up := promote.Paths(s, left, right)
		steps = append(steps, way(up[0])+", "+way(up[1]))
		left = s.Algebra().Cell(left, right)
	}
	return strings.Join(steps, "; ")
}

func way(path []string) string { return strings.Join(path, " → ") }

// reason returns the reason of a refusal, and if way is true, advice. The row contains the rest of the message.
func reason(err error, way bool) string {
	e, ok := err.(*promote.Error)
	switch {
	case !ok:
		return err.Error()
	case way && e.Way != "":
		return e.Why + "; " + e.Way
	}
	return e.Why
}

// joined returns the row of a system whose elements are not types.
func joined(s promote.System, words []string) []string {
	left := words[0]
	for _, w := range words[1:] {
		left = s.Algebra().Cell(left, w)
	}
	return []string{s.Name(), left, "", "", why(s, words)}
}

func (c *command) printTable() error {
	s, err := c.load(c.system)
	if err != nil {
		return err
	}
	a := s.Algebra()
	text := map[string]func() string{"text": a.Text, "md": a.Markdown, "csv": a.CSV, "tsv": a.TSV}[c.format]()
	_, err = fmt.Fprint(c.out, text)
	return err
}

// drawLattice draws the graph of a system, or the order of its table.
func (c *command) drawLattice() error {
	s, err := c.load(c.system)
	if err != nil {
		return err
	}
	g, title := promote.GraphOf(s), s.Name()
	if g == nil {
		o := promote.ReadOrder(s.Algebra())
		if o.Reduction == nil {
			return fmt.Errorf("%s defines no order: %s", s.Name(), strings.Join(o.Cycle, " ≤ "))
		}
		g, title = o.Reduction, s.Name()+": the order of its table"
	}
	var text string
	switch c.lattice {
	case "svg":
		if c.across {
			text, err = promote.SVGAcross(g, title)
		} else {
			text, err = promote.SVG(g, title)
		}
	case "dot":
		text = promote.DOT(g, title)
	case "text":
		text, err = promote.Text(g)
	default:
		return usageError{fmt.Sprintf("--lattice %s: there are dot, svg and text", c.lattice)}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.out, text)
	return err
}

// checkSystem checks a system, or all systems of a file.
func (c *command) checkSystem() (int, error) {
	var reports []*promote.Report
	if s, err := promote.Find(c.check); err == nil {
		reports = append(reports, promote.Check(s))
	} else {
		if c.check == "-" || fileExists(c.check) {
			inputs, err := c.read(c.check)
			if err != nil {
				return mistaken, err
			}
			for _, in := range inputs {
				reports = append(reports, in.Check())
			}
		} else {
			return mistaken, fmt.Errorf("%w; there is no such file either", err)
		}
	}
	status := ok
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		if _, err := fmt.Fprint(c.out, r.Text(c.limit)); err != nil {
			return mistaken, err
		}
		if r.Verdict != promote.Lattice {
			status = refuted
		}
	}
	return status, nil
}

// scoreSystems compares scores of systems: the named ones, or all.
func (c *command) scoreSystems(names []string) error {
	systems := append(promote.Systems(), promote.Graphs()...)
	if len(names) > 0 {
		systems = nil
	}
	for _, n := range names {
		s, err := c.load(n)
		if err != nil {
			return err
		}
		systems = append(systems, s)
	}
	rows := [][]string{{"system", "verdict", "bad triples", "wider", "overflow", "precision", "dropped", "ambiguous", "undefined"}}
	for _, s := range systems {
		r := promote.Check(s)
		row := []string{s.Name(), r.VerdictText(), fmt.Sprint(r.Laws.BothDefined + r.Laws.OneSide), "", "", "", "", "", ""}
		if r.Score != nil {
			for i, n := range r.Score.Counts() {
				row[3+i] = fmt.Sprint(n)
			}
		}
		rows = append(rows, row)
	}
	return c.write(rows)
}

func (c *command) diffSystems(a, b string) error {
	x, err := c.load(a)
	if err != nil {
		return err
	}
	y, err := c.load(b)
	if err != nil {
		return err
	}
	cells, onlyX, onlyY := promote.Diff(x, y)
	rows := [][]string{{"", "", x.Name(), y.Name()}}
	for _, d := range cells {
		rows = append(rows, []string{d.Row, d.Col, d.A, d.B})
	}
	if err := c.write(rows); err != nil || c.format != "text" {
		return err
	}
	n := len(x.Algebra().Names()) - len(onlyX)
	fmt.Fprintf(c.out, "%d of %d cells differ\n", len(cells), n*n)
	for _, only := range []struct {
		s     promote.System
		names []string
	}{{x, onlyX}, {y, onlyY}} {
		if len(only.names) > 0 {
			fmt.Fprintf(c.out, "only %s has %s\n", only.s.Name(), strings.Join(only.names, " "))
		}
	}
	return nil
}

// explainTypes shows the three bracketings of a sum.
func (c *command) explainTypes(words []string) error {
	systems, err := c.systems()
	if err != nil {
		return err
	}
	rows := [][]string{{"system", "", "", ""}}
	for _, s := range systems {
		names := make([]string, 3)
		for i, w := range words {
			names[i] = w
			if _, ok := s.Algebra().Find(w); ok {
				continue
			}
			o, err := operand(w)
			if err != nil {
				return err
			}
			names[i] = name(s, o.Type)
		}
		three, err := promote.Bracketings(s, names[0], names[1], names[2])
		if err != nil {
			rows = append(rows, []string{s.Name(), "-", "-", "-", reason(err, false)})
			continue
		}
		row := []string{s.Name()}
		for i, b := range three {
			rows[0][i+1] = b.Text
			row = append(row, b.Whole)
		}
		rows = append(rows, append(row, agreement(three)))
	}
	if rows[0][1] == "" {
		rows[0] = []string{"system", "(a + b) + c", "a + (b + c)", "(a + c) + b"}
	}
	rows[0] = append(rows[0], "")
	return c.write(rows)
}

// agreement returns "" if the bracketings agree, else a text with the type of each one's pair.
func agreement(three [3]promote.Bracketing) string {
	if three[0].Whole == three[1].Whole && three[1].Whole == three[2].Whole {
		return ""
	}
	return fmt.Sprintf("differ: the pairs are %s, %s, %s", three[0].Pair, three[1].Pair, three[2].Pair)
}
