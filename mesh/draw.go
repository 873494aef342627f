package mesh

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
)

// A Drawing shows which devices have which piece of an array.
type Drawing struct {
	title string
	cells [][]string // rows of pieces, each with the numbers of its devices
}

// Draw returns a drawing of an array of the given shape, cut by the spec: a cell for each piece,
// with the numbers of the devices that have it. Up to two axes of the array may be cut.
func Draw(m Mesh, s Spec, shape weft.Shape) Drawing {
	defer leaves.NameOp("Draw")
	a := core.Aval(core.Float32, shape...)
	piece := s.ir.Piece(m.ir, "the array", a)
	var cut []int
	for i, names := range s.ir {
		if len(names) > 0 {
			cut = append(cut, i)
		}
	}
	if len(cut) > 2 {
		core.Failf(core.ErrAxis, "the spec %v cuts %d axes, and a drawing shows two; draw with the others whole", s, len(cut))
	}
	// An array that is cut along one axis is a row, or a column if that axis is not the last one.
	down, across := -1, -1
	switch {
	case len(cut) == 2:
		down, across = cut[0], cut[1]
	case len(cut) == 1 && cut[0] < len(shape)-1:
		down = cut[0]
	case len(cut) == 1:
		across = cut[0]
	}
	count := func(axis int) int {
		if axis < 0 {
			return 1
		}
		return max(shape[axis]/max(piece.Shape.At(axis), 1), 1)
	}
	devices := make([][][]string, count(down))
	for i := range devices {
		devices[i] = make([][]string, count(across))
	}
	place := func(axis int, start []int) int {
		if axis < 0 || piece.Shape.At(axis) == 0 {
			return 0
		}
		return start[axis] / piece.Shape.At(axis)
	}
	for d := range m.Devices() {
		start := starts(m, s, piece, d)
		i, k := place(down, start), place(across, start)
		devices[i][k] = append(devices[i][k], strconv.Itoa(d))
	}
	d := Drawing{title: fmt.Sprintf("%v cut as %v on %v: pieces %v", shape, s, m, piece.Shape)}
	for _, row := range devices {
		cells := make([]string, len(row))
		for k, ds := range row {
			cells[k] = strings.Join(ds, ",")
		}
		d.cells = append(d.cells, cells)
	}
	return d
}

// String returns the drawing as text.
func (d Drawing) String() string {
	width := 0
	for _, row := range d.cells {
		for _, c := range row {
			width = max(width, len(c)+2)
		}
	}
	line := func(left, middle, right string) string {
		return left + strings.Join(slices.Repeat([]string{strings.Repeat("─", width)}, len(d.cells[0])), middle) + right + "\n"
	}
	var b strings.Builder
	b.WriteString(d.title + "\n")
	for i, row := range d.cells {
		if i == 0 {
			b.WriteString(line("┌", "┬", "┐"))
		} else {
			b.WriteString(line("├", "┼", "┤"))
		}
		for _, c := range row {
			left := (width - len(c)) / 2
			b.WriteString("│" + strings.Repeat(" ", left) + c + strings.Repeat(" ", width-left-len(c)))
		}
		b.WriteString("│\n")
	}
	b.WriteString(line("└", "┴", "┘"))
	return b.String()
}

// SVG returns the drawing as a picture.
func (d Drawing) SVG() string {
	const w, h, top = 96, 48, 28
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="14">`+"\n", max(w*len(d.cells[0]), 8*len(d.title))+2, h*len(d.cells)+top+2)
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	fmt.Fprintf(&b, `<text x="1" y="18">%s</text>`+"\n", escape.Replace(d.title))
	for i, row := range d.cells {
		for k, c := range row {
			x, y := 1+k*w, top+1+i*h
			fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="hsl(%d 60%% 88%%)" stroke="black"/>`+"\n", x, y, w, h, (i*len(row)+k)*360/(len(d.cells)*len(row)))
			fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", x+w/2, y+h/2+5, c)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}
