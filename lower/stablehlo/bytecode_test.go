package stablehlo_test

import (
	"flag"
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
