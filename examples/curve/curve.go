// Package curve draws the course of a training as a picture, for the examples.
package curve

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// Line is a named series of numbers at even distances.
type Line struct {
	Name   string
	Values []float64
}

// colors are the colors of the lines, in order.
var colors = []string{"#0969da", "#cf222e", "#1a7f37", "#8250df"}

// SVG writes lines as a picture, each over the whole width, from 0 up to the largest number.
func SVG(w io.Writer, title string, lines ...Line) error {
	const width, height, left, top = 640, 320, 56, 36
	most := 0.
	for _, l := range lines {
		for _, v := range l.Values {
			most = max(most, v)
		}
	}
	if most == 0 {
		most = 1
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", left+width+20, top+height+30)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="20" font-size="15">%s</text>`+"\n", left, html.EscapeString(title))
	for i := range 5 {
		y := top + height*i/4
		fmt.Fprintf(&b, `<path d="M%d %dh%d" stroke="#ddd"/><text x="%d" y="%d" text-anchor="end">%.3g</text>`+"\n", left, y, width, left-6, y+4, most*float64(4-i)/4)
	}
	for k, l := range lines {
		var points strings.Builder
		for i, v := range l.Values {
			x := float64(left) + float64(width)*float64(i)/float64(max(len(l.Values)-1, 1))
			fmt.Fprintf(&points, "%.1f,%.1f ", x, float64(top)+float64(height)*(1-v/most))
		}
		color := colors[k%len(colors)]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>`+"\n", color, strings.TrimSpace(points.String()))
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" text-anchor="end">%s</text>`+"\n", left+width, top+16*k+12, color, html.EscapeString(l.Name))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
