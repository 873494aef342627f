package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// screen is a terminal that a test waits for.
type screen struct{ lines chan string }

func (s screen) Write(b []byte) (int, error) {
	s.lines <- string(b)
	return len(b), nil
}

type counted struct{}

func (counted) Count() int64 { return 3e6 }
func (counted) Size() int64  { return 12e6 }

func TestProgressAtTerminal(t *testing.T) {
	s := screen{make(chan string, 100)}
	p := startProgress(s, "weft eval", 0, time.Hour)
	assert.Equal(t, "\r\x1b[Kweft eval, 0 s", <-s.lines)
	p.during("reading model.mlir", counted{})
	p.show()
	assert.Equal(t, "\r\x1b[Kreading model.mlir, 3 MB of 12, 0 s", <-s.lines)
	var out bytes.Buffer
	_, err := p.writer(&out).Write([]byte("1.5\n"))
	require.NoError(t, err)
	assert.Equal(t, "\r\x1b[K", <-s.lines, "the line vanishes before results")
	assert.Equal(t, "1.5\n", out.String())
	p.show()
	<-s.lines
	p.end()
	assert.Equal(t, "\r\x1b[K", <-s.lines, "the line vanishes at the end")
	assert.Empty(t, s.lines)
}

// A command that ends within a second shows nothing, and files get no progress.
func TestProgressElsewhere(t *testing.T) {
	s := screen{make(chan string, 100)}
	p := startProgress(s, "weft eval", time.Hour, time.Hour)
	p.end()
	assert.Empty(t, s.lines)
	f, err := os.Create(t.TempDir() + "/errors")
	require.NoError(t, err)
	defer f.Close()
	assert.Nil(t, newProgress(f, "weft"))
	assert.Nil(t, newProgress(io.Discard, "weft"))
	p = nil
	p.during("reading", nil)
	p.end()
	assert.Equal(t, io.Discard, p.writer(io.Discard))
}

// After a file was read, the line shows the command.
func TestProgressAfterReading(t *testing.T) {
	for _, text := range []string{"func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n", "{ lambda ; a:f32[]. let  in (a,) }"} {
		p := startProgress(io.Discard, "weft eval", time.Hour, time.Hour)
		e := &env{in: strings.NewReader(text), out: io.Discard, err: io.Discard, progress: p}
		assert.Equal(t, done, e.run([]string{"eval", "-", "1.5"}))
		p.end()
		assert.Equal(t, "weft eval", p.what)
		assert.Nil(t, p.count)
	}
}

// A module on standard input may begin with a byte order mark, and errors have their line and column.
func TestModuleMistakes(t *testing.T) {
	text := "\ufefffunc.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = stablehlo.sine %y : tensor<f32>\n  return %0 : tensor<f32>\n}\n"
	for _, words := range [][]string{{"check", "-"}, {"eval", "-", "1"}} {
		status, _, errs := weft(t, text, words...)
		assert.Equal(t, wrong, status)
		assert.Contains(t, errs, "<stdin>:2:23: ", words)
	}
	loop := "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %c = stablehlo.constant dense<2.0> : tensor<f32>\n  %0 = stablehlo.while(%a = %x) : tensor<f32>\n" +
		"  cond {\n    %p = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %p : tensor<i1>\n" +
		"  } do {\n    %b = stablehlo.multiply %a, %c : tensor<f32>\n    stablehlo.return %b : tensor<f32>\n  }\n  return %0 : tensor<f32>\n}\n"
	status, _, errs := weft(t, loop, "grad", "-")
	assert.Equal(t, wrong, status)
	assert.Contains(t, errs, "<stdin>:3:8: while: reverse-mode differentiation does not go through")
	assert.Contains(t, errs, strings.Repeat(" ", 7)+"^")
}
