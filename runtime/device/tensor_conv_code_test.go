package device_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
)

// residual are convolutions of ResNet-50: channels, positions of a side, outputs, taps of a side, stride.
var residual = [][5]int{{3, 224, 64, 7, 2}, {64, 56, 64, 3, 1}, {128, 56, 128, 3, 2}, {256, 14, 256, 3, 1}, {512, 7, 512, 3, 1}, {256, 56, 512, 1, 2}, {512, 28, 128, 1, 1}}

var registers = regexp.MustCompile(`Used (\d+) registers`)

// NVIDIA's assembler, where WEFT_PTXAS names it, compiles the convolutions of ResNet-50 and their gradients for tensor cores
// without spilled registers. WEFT_CODE names a folder in which the text and the code are kept.
func TestConvolutionAssembler(t *testing.T) {
	assembler := os.Getenv("WEFT_PTXAS")
	if assembler == "" {
		t.Skip("WEFT_PTXAS does not name ptxas")
	}
	dir := t.TempDir()
	if kept := os.Getenv("WEFT_CODE"); kept != "" {
		dir = kept
	}
	cores := simt.TensorCores{MMA: true, Shared: 227 << 10, Processors: 132}
	n := 0
	for i, layer := range residual {
		for _, layout := range [][2]string{{"NHWC", "HWIO"}, {"NCHW", "OIHW"}} {
			for _, dt := range []weft.DType{weft.Float32, weft.BFloat16} {
				channels, side, outputs, taps, stride := layer[0], layer[1], layer[2], layer[3], layer[4]
				sizes := map[byte]int{'N': 32, 'C': channels, 'H': side, 'W': side, 'O': outputs, 'I': channels}
				shapes := [2][]int{}
				for _, l := range []byte(layout[0]) {
					shapes[0] = append(shapes[0], sizes[l])
				}
				sizes['H'], sizes['W'] = taps, taps
				for _, l := range []byte(layout[1]) {
					shapes[1] = append(shapes[1], sizes[l])
				}
				config := lax.ConvConfig{Strides: []int{stride, stride}, Padding: lax.Pads([2]int{taps / 2, taps / 2}, [2]int{taps / 2, taps / 2}), Lhs: layout[0], Rhs: layout[1], Out: layout[0]}
				conv := func(x, w weft.Array) weft.Array { return lax.ConvGeneralDilated(x, w, config) }
				_, err := weft.Jaxpr(func(x weft.Array) weft.Array { // arrays that are traced need no memory
					both := func(x, w, z weft.Array) [3]weft.Array {
						y, back := weft.VJP(func(v [2]weft.Array) weft.Array { return conv(v[0], v[1]) }, [2]weft.Array{x, w})
						g := back(z)
						return [3]weft.Array{y, g[0], g[1]}
					}
					weft.With(weft.Precision(weft.Fast), func() {
						x, w := weft.Zeros(shapes[0]...).AsType(dt), weft.Zeros(shapes[1]...).AsType(dt)
						j, err := weft.Lower(both, x, w, weft.ZerosLike(conv(x, w)))
						if err != nil {
							t.Fatal(err)
						}
						for k, s := range fuse.Translate(j, fuse.Target{Tensor: device.TensorOptions(cores)}).Steps {
							c, ok := s.(*fuse.TensorConv)
							if !ok {
								continue
							}
							n++
							targets := []string{"80", "90", "100", "120"}
							if os.Getenv("WEFT_SAMPLES") != "all" {
								targets = targets[(i+n)%4:][:1]
							}
							if dt == weft.BFloat16 {
								targets = append(targets, "90a")
							}
							for _, target := range targets {
								cores.WGMMA = target == "90a"
								fs := simt.LowerWindows("convolution", device.TensorConv(c), [3]int64{1 << 30, 1 << 30, 1 << 30}, cores)
								number, err := strconv.Atoi(strings.TrimSuffix(target, "a"))
								if err != nil {
									t.Fatal(err)
								}
								name := fmt.Sprintf("%s_%v_%v_%d_%s", layout[0], dt, layer, k, target)
								file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
								if err := os.WriteFile(file+".ptx", []byte(ptx.Print(number, fs...).Text), 0o644); err != nil {
									t.Fatal(err)
								}
								out, err := exec.Command(assembler, "-v", "-arch=sm_"+target, "-o", file+".cubin", file+".ptx").CombinedOutput()
								if err != nil || strings.Count(string(out), " 0 bytes spill stores, 0 bytes spill loads") != len(fs) || strings.Contains(string(out), "warning") || strings.Contains(string(out), "serialize") {
									t.Errorf("%s, tile %v: %v\n%s", name, fs[0].Tensor.Tile, err, out[:min(len(out), 2000)])
								}
								used := registers.FindAllStringSubmatch(string(out), -1)
								for i, f := range fs {
									if (f.Tensor.Unit == simt.WGMMA) != cores.WGMMA {
										t.Errorf("%s has unit %d", name, f.Tensor.Unit)
									}
									t.Logf("%s: %v, %d of %d, %v, tile %v, %d stages, %v parts, left %+v, right %+v: %s registers", name, c, i+1, len(fs), f.Tensor, f.Tensor.Tile, f.Tensor.Stages, c.Parts, f.Tensor.Side(0), f.Tensor.Side(1), used[min(i, len(used)-1)][1])
								}
								if gaps := slices.ContainsFunc(c.Axes, func(a fuse.TensorAxis) bool { return a.Gap > 1 }); gaps != (len(fs) > 1) {
									t.Errorf("%s: %d kernels, with gaps %v", name, len(fs), gaps)
								}
							}
						}
					})
					return x
				}, weft.Ones(1))
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d kernels were assembled", n)
	}
}
