package stablehlo_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

var bytecodeFile = flag.String("bytecode", "testdata/bytecode.tar.gz", "artifacts that testdata/make_bytecode.py made of the conformance programs")

// programText returns a function's program with the elements of its constants, or why it has
// none.
func programText(m *stablehlo.Module, f *stablehlo.Func) string {
	avals, err := m.Avals(f)
	var p *stablehlo.Program
	if err == nil {
		p, err = m.Program(f, avals, options)
	}
	if err != nil {
		if e, ok := err.(*core.Error); ok {
			return e.Op + ": " + e.Msg
		}
		return err.Error()
	}
	var b strings.Builder
	b.WriteString(p.Jaxpr.String())
	for _, c := range p.Jaxpr.ConstVals {
		if a, ok := c.(*runtime.Array); ok {
			b.WriteString("\n" + a.Aval().Full() + string(a.Tensor().Data))
		}
	}
	return b.String()
}

// Text and bytecode of one module are the same program, in every version.
func TestBytecodeIsText(t *testing.T) {
	texts, _ := conformanceFiles(t)
	codes, names := archive(t, *bytecodeFile)
	versions := map[string]int{}
	for _, name := range names {
		module, version, _ := strings.Cut(strings.TrimSuffix(name, ".mlirbc"), "@")
		text, ok := texts[module+".mlir"]
		if !ok {
			continue // a small set of texts, a large one of artifacts
		}
		want, err := stablehlo.Read(module, text)
		require.NoError(t, err)
		got, err := stablehlo.Read(name, codes[name])
		if !assert.NoError(t, err, name) {
			continue
		}
		assert.Equal(t, want.Name, got.Name)
		require.Len(t, got.Funcs, len(want.Funcs), name)
		for i, f := range want.Funcs {
			g := got.Funcs[i]
			assert.Equal(t, f.Name, g.Name, name)
			assert.Equal(t, f.Public, g.Public, name)
			assert.Len(t, g.Args, len(f.Args), name)
			for k, a := range f.Args {
				assert.Equal(t, a, g.Args[k], name)
			}
			if p, q := programText(want, f), programText(got, g); p != q {
				t.Errorf("%s: %s is another program:\n%s\nwant\n%s", name, f.Name, q, p)
			}
		}
		versions[version]++
	}
	require.NotEmpty(t, versions)
	t.Logf("artifacts by version: %v", versions)
}

// In bytecode and in hexadecimal digits, integers of four bits are bytes without a sign.
func TestNarrowConstants(t *testing.T) {
	module := func(elements, typ string) string {
		m, err := stablehlo.ReadFrom("m", strings.NewReader("func.func public @main() -> "+typ+" {\n  %0 = stablehlo.constant dense<"+elements+"> : "+typ+"\n  return %0 : "+typ+"\n}\n"))
		require.NoError(t, err)
		return programText(m, m.Funcs[0])
	}
	for _, n := range []int{1, 50, 5000} { // the last is decoded while it is read
		digits, list := strings.Repeat("010E0807", n), strings.Repeat("1, -2, -8, 7, ", n)
		typ := fmt.Sprintf("tensor<%dxi4>", 4*n)
		assert.Equal(t, module("["+strings.TrimSuffix(list, ", ")+"]", typ), module(`"0x`+digits+`"`, typ), typ)
	}
	assert.Equal(t, module("[-2, -2, -2]", "tensor<3xi4>"), module(`"0x0E"`, "tensor<3xi4>"))
	assert.Equal(t, module("[-2, 1]", "tensor<2xi2>"), module(`"0x0201"`, "tensor<2xi2>"))
	assert.Equal(t, module("[14, 1]", "tensor<2xui4>"), module(`"0x0E01"`, "tensor<2xui4>"))

	code, err := os.ReadFile("testdata/int4.mlirbc")
	require.NoError(t, err)
	got, err := stablehlo.Read("int4", string(code))
	require.NoError(t, err)
	want, err := stablehlo.Read("int4", `func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1, -2, -8, 7]> : tensor<4xi4>
  %0 = stablehlo.convert %c : (tensor<4xi4>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
`)
	require.NoError(t, err)
	assert.Equal(t, programText(want, want.Funcs[0]), programText(got, got.Funcs[0]))
}
