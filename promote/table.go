package promote

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

//go:embed data/*.tsv
var data embed.FS

// ParseTable reads a table of tab-separated cells: the first row names the
// columns, the first cell of each further row names the row. "-" and "ERR" are
// undefined cells. Rows may come in another order than columns, but must be the
// same elements. Lines that begin with # are comments.
func ParseTable(text string) (*Algebra, error) { return parseCells(text, '\t') }

func parseCells(text string, comma rune) (*Algebra, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.Comment, r.LazyQuotes, r.FieldsPerRecord = comma, '#', comma == '\t', -1
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if len(rows) == 0 || len(rows[0]) < 2 {
		return nil, fmt.Errorf("table: the first line names no columns (got %.40q); write their names, separated by tabs or commas", text)
	}
	head := rows[0]
	b, err := newTable(head[1:])
	if err != nil {
		return nil, err
	}
	for _, cells := range rows[1:] {
		if len(cells) != len(head) {
			return nil, fmt.Errorf("table: row %q and the columns differ in number (got %d cells, want %d); write one for each column", cells[0], len(cells)-1, len(head)-1)
		}
		for j, c := range cells[1:] {
			if err := b.cell(cells[0], head[j+1], c); err != nil {
				return nil, err
			}
		}
	}
	return b.done()
}

// tableBuilder fills an algebra cell by cell and insists that none is given
// twice.
type tableBuilder struct {
	a    *Algebra
	seen []bool
}

func newTable(names []string) (*tableBuilder, error) {
	if len(names) > MaxNodes {
		return nil, fmt.Errorf("table: %d elements; %d are the most that is looked at", len(names), MaxNodes)
	}
	a := newAlgebra(names)
	for _, n := range names {
		if undefinedName(n) {
			return nil, fmt.Errorf("table: an element is called %q, which is how an undefined result is written; rename it", n)
		}
	}
	if len(a.index) != len(names) {
		return nil, fmt.Errorf("table: a column is named twice in %s", strings.Join(names, " "))
	}
	return &tableBuilder{a, make([]bool, len(names)*len(names))}, nil
}

func (b *tableBuilder) cell(row, col, result string) error {
	i, ok := b.a.index[row]
	if !ok {
		return fmt.Errorf("table: row %q is no column; write a column for each row", row)
	}
	j, ok := b.a.index[col]
	if !ok {
		return fmt.Errorf("table: column %q of row %q is no row; write a row for each column", col, row)
	}
	at := i*b.a.n + j
	if b.seen[at] {
		return fmt.Errorf("table: the cell (%s, %s) is given twice; write it once", row, col)
	}
	b.seen[at] = true
	if undefinedName(result) {
		return nil
	}
	if b.a.cells[at] = b.a.result(result); len(b.a.names) > 2*MaxNodes {
		return fmt.Errorf("table: more than %d results are no elements, such as %s", MaxNodes, result)
	}
	return nil
}

func (b *tableBuilder) done() (*Algebra, error) {
	for at, ok := range b.seen {
		if !ok {
			return nil, fmt.Errorf("table: the cell (%s, %s) is missing; write its result, or -", b.a.names[at/b.a.n], b.a.names[at%b.a.n])
		}
	}
	return b.a, nil
}

// With returns a copy of the table with some cells replaced: {row, column, result}. It panics if
// the table has no such row or column.
func (a *Algebra) With(cells ...[3]string) *Algebra {
	core.RequireReceiver("promote.Algebra.With", a == nil)
	c := newAlgebra(a.names[:a.n])
	copy(c.cells, a.cells)
	for _, name := range a.names[a.n:] {
		c.result(name)
	}
	for _, x := range cells {
		i, ok := c.index[x[0]]
		j, ok2 := c.index[x[1]]
		if !ok || !ok2 {
			panic(fmt.Sprintf("BUG: no cell (%s, %s)", x[0], x[1]))
		}
		c.cells[i*c.n+j] = c.result(x[2])
	}
	return c
}

// result returns the number of the result of this name. A name that is not one of the
// elements is added as a result that promotes with nothing.
func (a *Algebra) result(name string) int16 {
	if i, ok := a.index[name]; ok {
		return int16(i)
	}
	if i, ok := a.outside[name]; ok {
		return i
	}
	if a.outside == nil {
		a.outside = map[string]int16{}
	}
	i := int16(len(a.names))
	a.names = append(a.names, name)
	a.outside[name] = i
	return i
}

// embedded returns the system of a table that is part of the package.
func embedded(name, about, file string) *Finite {
	return &Finite{name: name, about: about, make: func() (*Algebra, error) {
		text, err := data.ReadFile("data/" + file)
		if err != nil {
			return nil, err
		}
		return ParseTable(string(text))
	}}
}
