package promote

import (
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
)

// Text returns the table aligned in columns.
func (a *Algebra) Text() string {
	core.RequireReceiver("promote.Algebra.Text", a == nil)
	return aligned(a.grid())
}

// Markdown returns the table as Markdown, with the names in the first row and column.
func (a *Algebra) Markdown() string {
	core.RequireReceiver("promote.Algebra.Markdown", a == nil)
	return markdown(a.grid())
}

// CSV returns the table as comma-separated values.
func (a *Algebra) CSV() string {
	core.RequireReceiver("promote.Algebra.CSV", a == nil)
	return commaSeparated(a.grid())
}

// TSV returns the table as tab-separated cells, as [ParseTable] reads it.
func (a *Algebra) TSV() string {
	core.RequireReceiver("promote.Algebra.TSV", a == nil)
	var b strings.Builder
	for _, row := range a.grid() {
		b.WriteString(strings.Join(row, "\t"))
		b.WriteByte('\n')
	}
	return b.String()
}

func (a *Algebra) grid() [][]string {
	head := append([]string{""}, a.names[:a.n]...)
	rows := [][]string{head}
	for i := range a.n {
		row := []string{a.names[i]}
		for j := range a.n {
			row = append(row, a.name(a.at(i, j)))
		}
		rows = append(rows, row)
	}
	return rows
}

// aligned pads cells to columns that are two spaces apart.
func aligned(rows [][]string) string {
	var width []int
	for _, row := range rows {
		for j, c := range row {
			if j == len(width) {
				width = append(width, 0)
			}
			width[j] = max(width[j], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for j, c := range row {
			line.WriteString(c)
			line.WriteString(strings.Repeat(" ", width[j]-utf8.RuneCountInString(c)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// markdown writes a table in Markdown, whose head is the first row.
func markdown(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		for j, c := range row {
			c = strings.NewReplacer("|", `\|`, "*", `\*`).Replace(c)
			if i > 0 && j == 0 && c != "" {
				c = "**" + c + "**"
			}
			fmt.Fprintf(&b, "| %s ", c)
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)))
			b.WriteString("|\n")
		}
	}
	return b.String()
}

func commaSeparated(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.WriteAll(rows) // a strings.Builder does not fail
	return b.String()
}

// FormatRows writes rows of cells, the first being the head, as text, md, csv or
// tsv.
func FormatRows(rows [][]string, format string) string {
	switch format {
	case "md":
		return markdown(rows)
	case "csv":
		return commaSeparated(rows)
	case "tsv":
		var b strings.Builder
		for _, row := range rows {
			b.WriteString(strings.Join(row, "\t"))
			b.WriteByte('\n')
		}
		return b.String()
	}
	return aligned(rows)
}
