package ptx_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
)

// convSample is a convolution of two or four images of 7×8 positions with 3×3 taps, a step of 2 along the first axis and zeros around, with
// features, or positions, last; its sums are in parts or not.
func convSample(unit simt.TensorUnit, kind simt.TensorKind, positionsLast bool, parts int) (simt.Tensor, [3]int) {
	const height, width, outputs = 7, 8, 24
	batch, channels := 2, 128/kind.Size()
	if unit == simt.WGMMA {
		batch = 4
	}
	w := &simt.Windows{
		Rows:  []simt.Digit{{N: batch, Axis: -1, A: height * width * channels, C: 4 * width * outputs}, {N: 4, Axis: 0, Step: 2, C: width * outputs}, {N: width, Axis: 1, Step: 1, C: outputs}},
		Deep:  []simt.Digit{{N: 3, Axis: 0, Step: 1, B: 3 * channels * outputs}, {N: 3, Axis: 1, Step: 1, B: channels * outputs}, {N: channels, Axis: -1, A: 1, B: outputs}},
		Col:   simt.Digit{N: outputs, Axis: -1, B: 1, C: 1},
		Group: simt.Digit{N: 1, Axis: -1},
		Axes:  []simt.WindowAxis{{Low: 1, Extent: height, Gap: 1, Stride: width * channels}, {Low: 1, Extent: width, Gap: 1, Stride: channels}},
		Parts: parts, PartK: 5 * 128 / kind.Size(),
	}
	if positionsLast {
		w.Axes[0].Stride, w.Axes[1].Stride, w.Deep[2].A = width, 1, height*width
	}
	t := w.TensorOf(kind, false, [2]int{})
	t.Unit, t.Tile, t.Warps, t.Stages, t.Rows = unit, [3]int{64, 64, 128 / kind.Size()}, [2]int{1, 1}, 3, 16
	if unit == simt.WGMMA { // tiles of two blocks of 64 rows, for four warps each
		t.Tile[0], t.Warps[0], t.Stages = 128, 8, 4
	}
	return t, [3]int{batch * height * width * channels, 9 * channels * outputs, parts * batch * 4 * width * outputs}
}

// convOperands returns numbers for the operands of convSample, and memory for its results.
func convOperands(kind simt.TensorKind, lens [3]int) (numbers [2][]float64, buffers [][]byte) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range numbers {
		data := make([]byte, lens[i]*kind.Size())
		for k := range lens[i] {
			x, bits := rounded(kind, float32(r.NormFloat64()))
			numbers[i] = append(numbers[i], x)
			if kind.Size() == 4 {
				binary.LittleEndian.PutUint32(data[4*k:], bits)
			} else {
				binary.LittleEndian.PutUint16(data[2*k:], uint16(bits))
			}
		}
		buffers = append(buffers, data)
	}
	return numbers, append(buffers, make([]byte, 4*lens[2]))
}

// convError runs the text of convSample and returns the greatest error as a share of the bound. Sums are those of the definition of a
// convolution, in f64.
func convError(text, name string, f *simt.Func, positionsLast bool, parts int) (float64, error) {
	p, err := ptxeval.Parse(text)
	if err != nil {
		return 0, err
	}
	kind := f.Tensor.Kind
	_, lens := convSample(f.Tensor.Unit, kind, positionsLast, parts)
	x, buffers := convOperands(kind, lens)
	for i := range buffers[2] {
		buffers[2][i] = 0xff
	}
	if err := p.RunTensor(name, 1, buffers, f); err != nil {
		return 0, err
	}
	channels, worst := 128/kind.Size(), 0.0
	for i := range lens[0] / (7 * 8 * channels) * 4 * 8 * 24 {
		o, s1, s0, b := i%24, i/24%8, i/24/8%4, i/24/8/4
		var want, scale, got float64
		for t0 := range 3 {
			for t1 := range 3 {
				h, w := 2*s0+t0-1, s1+t1-1
				if h < 0 || h >= 7 || w < 0 || w >= 8 {
					continue
				}
				for c := range channels {
					at := ((b*7+h)*8+w)*channels + c
					if positionsLast {
						at = ((b*channels+c)*7+h)*8 + w
					}
					p := x[0][at] * x[1][((t0*3+t1)*channels+c)*24+o]
					want, scale = want+p, scale+math.Abs(p)
				}
			}
		}
		for part := range parts {
			got += float64(math.Float32frombits(binary.LittleEndian.Uint32(buffers[2][4*(part*lens[2]/parts+i):])))
		}
		if e := math.Abs(got-want) / (f.Tensor.Bound() * scale); !(e <= worst) {
			worst = e
		}
	}
	return worst, nil
}

// A convolution is within the bound, whose sums are in parts too, and any change of where its elements are, or of its text where that orders
// threads and copies, or where it asks whether there is an element, is noticed.
func TestTensorConvFaults(t *testing.T) {
	for i, kind := range []simt.TensorKind{simt.TF32, simt.BF16, simt.BF16, simt.BF16} {
		for _, parts := range []int{1, 2} {
			unit, target, idle := simt.MMA, 80, 1 // the wait at the end of a tile
			positionsLast := i == 3
			if i == 2 {
				unit, target, idle = simt.WGMMA, 90, 0
			}
			sample, lens := convSample(unit, kind, positionsLast, parts)
			print := func(x simt.Tensor) (string, string, *simt.Func) {
				f := simt.TensorFunc("convolution", &x, [3]int64{int64(lens[0]), int64(lens[1]), int64(lens[2])})
				m := ptx.Print(target, f)
				return m.Text, m.Names[0], f
			}
			text, name, f := print(sample)
			if most, err := convError(text, name, f, positionsLast, parts); err != nil || !(most <= 1) {
				t.Fatalf("%v, %d parts: error ÷ bound %g, %v", kind, parts, most, err)
			}
			noticed := func(text, name string, f *simt.Func) bool {
				most, err := convError(text, name, f, positionsLast, parts)
				return err != nil || !(most <= 1)
			}
			for what, change := range map[string]func(w *simt.Windows){
				"low":      func(w *simt.Windows) { w.Axes[0].Low++ },
				"extent":   func(w *simt.Windows) { w.Axes[1].Extent++ },
				"shorter":  func(w *simt.Windows) { w.Axes[1].Extent-- },
				"gap":      func(w *simt.Windows) { w.Axes[1].Gap = 2 },
				"stride":   func(w *simt.Windows) { w.Axes[0].Stride += 16 / kind.Size() },
				"step":     func(w *simt.Windows) { w.Rows[1].Step = 1 },
				"dilation": func(w *simt.Windows) { w.Deep[0].Step = 2 },
				"result":   func(w *simt.Windows) { w.Rows[0].C += 2 },
				"filter":   func(w *simt.Windows) { w.Deep[1].B += w.Col.N },
			} {
				changed := *sample.Windows
				changed.Rows, changed.Deep, changed.Axes = append([]simt.Digit{}, changed.Rows...), append([]simt.Digit{}, changed.Deep...), append([]simt.WindowAxis{}, changed.Axes...)
				change(&changed)
				x := sample
				x.Windows = &changed
				if text, name, f := print(x); !noticed(text, name, f) {
					t.Errorf("%v, %d parts: another %s is not noticed", kind, parts, what)
				}
			}
			if parts == 1 { // the same text but for the range of k
				continue
			}
			lines := strings.Split(text, "\n")
			var unused []string
			n := 0
			for i, line := range lines {
				without := append([]string{}, lines...)
				switch {
				case synchronization.MatchString(line):
					without[i] = ""
				case strings.HasPrefix(line, "\tselp.b32 ") && strings.Contains(line, ", 16, 0, "): // copied whether there is an element or not
					without[i] = strings.Replace(line, ", 16, 0, ", ", 16, 16, ", 1)
				case unit == simt.WGMMA && strings.Contains(line, ", 0x40000040"): // a descriptor whose groups of eight lines overlap
					without[i] = strings.Replace(line, ", 0x40000040", ", 0x40000020", 1)
				case unit == simt.WGMMA && strings.HasPrefix(line, "\txor.b32 "): // pieces that are not exchanged
					without[i] = strings.Replace(line, "xor", "or", 1)
				case strings.HasPrefix(line, "\tshf.r"): // not shifted
					without[i] = line[:strings.LastIndex(line, ",")] + ", 0;"
				case strings.Contains(line, " ld.global.u32 "): // loaded whether the axis has the elements or not
					_, without[i], _ = strings.Cut(line, " ")
				default:
					continue
				}
				n++
				if !noticed(strings.Join(without, "\n"), name, f) {
					unused = append(unused, fmt.Sprintf("%d: %s", i+1, line))
				}
			}
			if n < 10 || len(unused) > idle {
				t.Errorf("unit %d, %v, %d parts: of %d changes %d are not noticed:\n%s", unit, kind, parts, n, len(unused), strings.Join(unused, "\n"))
			}
		}
	}
}
