//go:build linux && (amd64 || arm64)

package opencl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/lower/ir"
	printer "github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// edgeKernel returns a kernel with one operation and operands that a compiler may warn about: the same number
// twice, and the numbers 0, 1 and −1. typ is the type of the operands.
func edgeKernel(t *testing.T, name string, o scalar.Op, typ scalar.Type) *ir.Kernel {
	var b strings.Builder
	fmt.Fprintf(&b, "%%1 = const %v 0x0\n%%2 = const %v 0x1\n%%3 = const %v 0x%x\n", typ, typ, typ, ^uint64(0)>>(64-typ.Bits()))
	n, result := 4, typ
	if o.Form() == scalar.FormCompare {
		result = scalar.Bool
	}
	var stores []string
	for _, args := range [][2]string{{"%0", "%0"}, {"%0", "%1"}, {"%0", "%2"}, {"%0", "%3"}, {"%1", "%0"}, {"%3", "%0"}, {"%1", "%1"}, {"%2", "%3"}} {
		fmt.Fprintf(&b, "%%%d = %v %v %s\n", n, o, result, strings.Join(args[:o.Args()], ", "))
		stores = append(stores, fmt.Sprintf("store y%d[a0<2], %%%d\n", len(stores), n))
		n++
	}
	var outs []string
	for i := range stores {
		outs = append(outs, fmt.Sprintf("out y%d %v[2]", i, result))
	}
	text := fmt.Sprintf("kernel %s(in x %v[2], %s) {\nvector a0<2 {\n%%0 = load %v x[a0<2]\n%s%s}\n}", name, typ, strings.Join(outs, ", "), typ, b.String(), strings.Join(stores, ""))
	k, err := irtext.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return k
}

// The compiler prints no warning about any operation, of any operands: PoCL writes them to the
// terminal of the user, who has not written the code.
func TestNoWarnings(t *testing.T) {
	race.Values(t)
	d := opened(t)
	var fs []*simt.Func
	for o := range scalar.Op(scalar.NumOps) {
		if form := o.Form(); form != scalar.FormSame && form != scalar.FormCompare || o.Args() > 2 || o == scalar.OpScale {
			continue
		}
		for typ := range scalar.Type(scalar.NumTypes) {
			if typ != scalar.NoType && typ != scalar.Bool && o.Takes(typ) && (typ != scalar.F64 || d.doubles) {
				fs = append(fs, simt.Lower(edgeKernel(t, fmt.Sprintf("%v_%v", o, typ), o, typ), simt.Options{}))
			}
		}
	}
	if len(fs) < 100 {
		t.Errorf("got %d kernels, want 100", len(fs))
	}
	for _, src := range []*printer.Source{printer.Print(fs...), printer.PrintWithoutDoubles(fs...)} {
		text := fmt.Sprintf("%s__constant ulong unique = 0x%xul;\n", src.Text, rand.Uint64()) // the driver has not compiled it before
		p, err := cl.Build(d.context, d.id, text, printer.BuildOptions)
		if err != nil {
			t.Fatal(err)
		}
		defer cl.ReleaseProgram(p)
		if log := cl.BuildLog(p, d.id); strings.Contains(log, "warning") {
			t.Errorf("the compiler prints\n%.3000s", log)
		}
	}
}
