package main

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"

	"github.com/weft-go/weft"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// drawLoss draws the loss of every step, and its mean over the steps around it.
func drawLoss(dir string, losses []float64) error {
	p := plot.New()
	p.Title.Text = "Loss while learning"
	p.X.Label.Text, p.Y.Label.Text = "step", "loss"
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	const around = 10
	each, mean := make(plotter.XYs, len(losses)), make(plotter.XYs, len(losses))
	for i, l := range losses {
		part := losses[max(0, i-around):min(len(losses), i+around+1)]
		sum := 0.
		for _, x := range part {
			sum += x
		}
		each[i] = plotter.XY{X: float64(i), Y: math.Max(l, 1e-6)}
		mean[i] = plotter.XY{X: float64(i), Y: math.Max(sum/float64(len(part)), 1e-6)}
	}
	if len(losses) > 0 {
		dots, err := plotter.NewScatter(each)
		if err != nil {
			return err
		}
		dots.Shape, dots.Radius, dots.Color = draw.CircleGlyph{}, vg.Points(1), color.Gray{180}
		line, err := plotter.NewLine(mean)
		if err != nil {
			return err
		}
		line.Color, line.Width = color.RGBA{R: 20, G: 90, B: 170, A: 255}, vg.Points(1.5)
		p.Add(dots, line)
	}
	for _, name := range []string{"loss.png", "loss.svg"} {
		if err := p.Save(14*vg.Centimeter, 9*vg.Centimeter, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// picture is a digit as plotter draws grids: from below.
type picture []float32

func (picture) Dims() (cols, rows int)   { return 8, 8 }
func (p picture) Z(col, row int) float64 { return 1 - float64(p[(7-row)*8+col]) }
func (picture) X(col int) float64        { return float64(col) }
func (picture) Y(row int) float64        { return float64(row) }

// drawMisread draws the digits that the model misreads. It returns a line about each: what
// it is, and what it was read as.
func drawMisread(dir string, m Model, d Digits) ([]string, error) {
	got, want := weft.ToSlice[int32](read(m, d.Pixels)), weft.ToSlice[int32](d.Label)
	pixels := weft.ToSlice[float32](d.Pixels)
	var wrong []string
	var tiles []*plot.Plot
	for i := range want {
		if got[i] == want[i] {
			continue
		}
		p := plot.New()
		p.Title.Text = fmt.Sprintf("%d, read as %d", want[i], got[i])
		p.HideAxes()
		p.Add(plotter.NewHeatMap(picture(pixels[64*i:64*i+64]), gray{}))
		wrong = append(wrong, fmt.Sprintf("  held out %3d is %d, read as %d", i, want[i], got[i]))
		tiles = append(tiles, p)
	}
	const columns, size = 5, 3.2 * vg.Centimeter
	rows := max(1, (len(tiles)+columns-1)/columns)
	img := vgimg.New(columns*size, vg.Length(rows)*size)
	canvas := draw.New(img)
	grid := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Millimeter, PadY: vg.Millimeter}
	for i, p := range tiles {
		p.Draw(grid.At(canvas, i%columns, i/columns))
	}
	f, err := os.Create(filepath.Join(dir, "misread.png"))
	if err != nil {
		return nil, err
	}
	_, err = vgimg.PngCanvas{Canvas: img}.WriteTo(f)
	return wrong, errors.Join(err, f.Close())
}

// gray is the palette from black to white.
type gray struct{}

func (gray) Colors() []color.Color {
	out := make([]color.Color, 17)
	for i := range out {
		out[i] = color.Gray{uint8(255 * i / 16)}
	}
	return out
}
