package stablehlo_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/stablehlo"
)

// Long constants are decoded while a text is read, however the reader cuts the text: the program and
// the columns in messages are the same as for the whole text.
func TestReadFrom(t *testing.T) {
	const n = 3000
	digits := func(unit string) string { return strings.Repeat(unit, n) }
	module := func(first, second string) string {
		return fmt.Sprintf(`module attributes {note = "0x%s"} {
  func.func @main() -> (tensor<%[3]dxf32>, tensor<%[3]dxi16>, tensor<4xf32>) {
    %%0 = stablehlo.constant dense<"0x%[1]s"> : tensor<%[3]dxf32>
    %%1 = stablehlo.constant dense<"0x%[2]s"> : tensor<%[3]dxi16> // "0x@1" in a comment
    %%2 = stablehlo.constant dense<"0x0000803F000000400000803F00000040"> : tensor<4xf32>
    return %%0, %%1, %%2 : tensor<%[3]dxf32>, tensor<%[3]dxi16>, tensor<4xf32>
  }
}
`, first, second, n)
	}
	text := module(digits("0000803f"), digits("01FF"))
	want, err := program(stablehlo.Parse("m", text))
	require.NoError(t, err)
	for _, cut := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.DataErrReader, iotest.OneByteReader} {
		got, err := program(stablehlo.ReadFrom("m", cut(strings.NewReader(text))))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for name, bad := range map[string]string{
		"a constant of half a byte":    module(digits("0000803F")+"0", digits("01FF")),
		"a constant that is too short": module(digits("0000803F"), digits("01FF")[2:]),
		"no digit":                     module(digits("0000803F"), digits("01FF")+"G"),
		"a number of a constant":       strings.Replace(text, `"0x0000803F000000400000803F00000040"`, `"0x@1"`, 1),
		"a mistake behind one":         strings.Replace(text, `// "0x@1"`, `%9`, 1),
		"an open constant":             text[:len(text)/2],
	} {
		_, want := program(stablehlo.Parse("m", bad))
		require.Error(t, want, name)
		_, got := program(stablehlo.ReadFrom("m", strings.NewReader(bad)))
		require.Error(t, got, name)
		assert.Equal(t, stablehlo.PlaceOf(want).String(), stablehlo.PlaceOf(got).String(), name)
	}
	_, err = stablehlo.ReadFrom("m", iotest.ErrReader(errors.New("the disk is gone")))
	assert.ErrorContains(t, err, "the disk is gone")
	_, err = stablehlo.ReadFrom("m", emptyReader{})
	assert.ErrorIs(t, err, io.ErrNoProgress)
}

// emptyReader reads nothing without an error.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

// program returns the text of the entry's program with its constants.
func program(m *stablehlo.Module, err error) (string, error) {
	if err != nil {
		return "", err
	}
	p, err := m.Program(m.Main(), nil, options)
	if err != nil {
		return "", err
	}
	text := p.Jaxpr.String()
	for _, v := range p.Jaxpr.ConstVals {
		data, _ := writing.Bytes(v)
		text += fmt.Sprintf("%x", data)
	}
	return text, nil
}

// Reading a text whose size the reader reports allocates little more than its constants. If the size is unknown, it
// allocates twice as much, for a constant whose end is not known.
func TestReadMemory(t *testing.T) {
	const n = 4 << 20
	one := func(digits io.Reader) io.Reader {
		return io.MultiReader(strings.NewReader("func.func @main() -> tensor<4194304xf32> {\n  %0 = stablehlo.constant dense<\"0x"), digits,
			strings.NewReader("\"> : tensor<4194304xf32>\n  return %0 : tensor<4194304xf32>\n}\n"))
	}
	resource := func(digits io.Reader) io.Reader {
		return io.MultiReader(strings.NewReader("func.func @main() -> tensor<4194304xf32> {\n  %0 = stablehlo.constant dense_resource<w> : tensor<4194304xf32>\n  return %0 : tensor<4194304xf32>\n}\n{-# dialect_resources: {builtin: {w: \"0x04000000"), digits,
			strings.NewReader("\"}} #-}\n"))
	}
	many := func(digits io.Reader) io.Reader {
		const parts = 64
		all := []io.Reader{strings.NewReader("func.func @main() -> tensor<65536xf32> {\n")}
		for i := range parts {
			all = append(all, strings.NewReader(fmt.Sprintf("  %%%d = stablehlo.constant dense<\"0x%08X", i, i)), io.LimitReader(digits, 8*(n/parts-1)), strings.NewReader("\"> : tensor<65536xf32>\n"))
		}
		return io.MultiReader(append(all, strings.NewReader("  return %0 : tensor<65536xf32>\n}\n"))...)
	}
	for _, c := range []struct {
		name  string
		text  func(digits io.Reader) io.Reader
		size  int
		times float64
	}{
		{"one constant in a file", one, 8*n + 200, 1.05},
		{"a resource in a file", resource, 8*n + 250, 1.05},
		{"many constants in a file", many, 8*n + 64*60, 1.05},
		{"many constants in a stream", many, 0, 1.15},
		{"one constant in a stream", one, 0, 2.05},
		{"a size that is too small", one, n, 2.3},
		{"a size that is too large", one, 32 * n, 5.05}, // most of the arena is never written, and it is freed
	} {
		r := sized{c.text(&repeated{"0000803F", n}), c.size}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := stablehlo.ReadFrom("m", r)
		require.NoError(t, err, c.name)
		p, err := m.Program(m.Main(), []core.ShapedArray{}, options)
		require.NoError(t, err, c.name)
		runtime.ReadMemStats(&after)
		require.NotEmpty(t, p.Jaxpr.Consts, c.name)
		data, _ := writing.Bytes(p.Jaxpr.ConstVals[0])
		require.Equal(t, byte(0x3f), data[len(data)-1], c.name)
		allocated := float64(after.TotalAlloc-before.TotalAlloc) / (4 * n)
		t.Logf("%s: %.3f times the constants", c.name, allocated)
		assert.LessOrEqual(t, allocated, c.times, c.name)
	}
}

// A constant without elements has no elements in the file either.
func TestReadEmptyConstant(t *testing.T) {
	module := func(elements, dims string) string {
		return fmt.Sprintf("func.func @main() -> tensor<%[2]sxf32> {\n  %%0 = stablehlo.constant %[1]s : tensor<%[2]sxf32>\n  return %%0 : tensor<%[2]sxf32>\n}\n", elements, dims)
	}
	for _, c := range []struct{ elements, dims string }{{"dense<>", "0"}, {"dense<[]>", "0"}, {"dense<>", "3x0"}, {"dense<[[], []]>", "2x0"}, {"dense<1.0>", "0x2"}, {`dense<"0x">`, "0"}} {
		_, err := program(stablehlo.ReadFrom("m", strings.NewReader(module(c.elements, c.dims))))
		assert.NoError(t, err, c)
	}
	for _, elements := range []string{`dense<"0x` + strings.Repeat("00", 3000) + `">`, "dense<[1.0]>"} {
		_, err := program(stablehlo.ReadFrom("m", strings.NewReader(module(elements, "0"))))
		require.ErrorIs(t, err, core.ErrParse)
		assert.Equal(t, 2, stablehlo.PlaceOf(err).Line)
	}
}

// sized reports a size, as a file does.
type sized struct {
	io.Reader
	size int
}

func (s sized) Len() int { return s.size }

// repeated reads a text n times.
type repeated struct {
	text string
	n    int
}

func (r *repeated) Read(b []byte) (int, error) {
	n := 0
	for r.n > 0 && len(b)-n >= len(r.text) {
		n += copy(b[n:], r.text)
		r.n--
	}
	if n == 0 && r.n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A module of many functions is searched once for the functions that they call.
func TestCallsOfManyFunctions(t *testing.T) {
	const n = 20000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "func.func private @f%d(%%a: tensor<f32>) -> tensor<f32> {\n  return %%a : tensor<f32>\n}\n", i)
	}
	text.WriteString("func.func @main(%a: tensor<f32>) -> tensor<f32> {\n")
	for i := range n / 2 {
		fmt.Fprintf(&text, "  %%%d = call @f%d(%%a) : (tensor<f32>) -> tensor<f32>\n", i, 2*i)
	}
	text.WriteString("  return %0 : tensor<f32>\n}\n")
	m, err := stablehlo.Parse("many", text.String())
	require.NoError(t, err)
	start, called := time.Now(), 0
	for _, f := range m.Funcs {
		if m.Calls(f) {
			called++
		}
	}
	assert.Equal(t, n/2, called)
	assert.Less(t, time.Since(start), 5*time.Second)
}
