package main

import (
	"bytes"
	"flag"
	"fmt"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
)

var lowerCommand = command{
	name: "lower", args: "--to stablehlo|onnx [--missing HOW] [--func NAME] [FILE]",
	short: "translate a program to another system's form",
	long: `lower writes the program in another form to standard output.

    --to stablehlo  a StableHLO module, as XLA and weft itself read it. Captured constants
                    of a jaxpr's text, whose values the text does not have, are refused
    --missing HOW   what StableHLO lacks is written as an operation of CHLO (chlo, the
                    default), as a composite with a decomposition (decompose), or is a
                    mistake (refuse)
    --to onnx       an ONNX model of operators of version 21
    --func NAME     the function of a StableHLO module (main)
    --types TYPES   types of its arguments whose sizes the module, or the ONNX model, leaves
                    open, in order or as name=type: --types 'f32[3,8]'
    --bind NAME=ARGUMENT  of an ONNX model: the value of an input, as one that decides shapes

    weft lower --to stablehlo f.jaxpr > f.mlir
    weft lower --to stablehlo --types 'f32[3,16]' model.onnx > model.mlir
`,
	run: runLower,
}

// missingNames are the values of --missing, what to write for operations that StableHLO lacks, in the order of
// [stablehlo.Missing].
var missingNames = []string{"chlo", "decompose", "refuse"}

func runLower(e *env, words []string) int {
	var to, missing string
	var options stablehlo.WriteOptions
	files, ok := parseFlags(e, "lower", func(fs *flag.FlagSet) {
		fs.StringVar(&to, "to", "", "")
		fs.StringVar(&missing, "missing", "chlo", "")
		fs.StringVar(&e.function, "func", "", "")
		fs.StringVar(&e.types, "types", "", "")
		fs.Func("bind", "", e.binds)
	}, words)
	switch {
	case !ok:
		return usage
	case to != "stablehlo" && to != "onnx":
		return misused(e, "lower", "unknown form %q; write --to stablehlo or --to onnx", to)
	case !slices.Contains(missingNames, missing):
		return misused(e, "lower", "unknown way %q to write what is missing; write chlo, decompose or refuse", missing)
	case len(files) == 0:
		files = []string{"-"}
	case len(files) > 1:
		return misused(e, "lower", "one program at a time (got %d files); name one", len(files))
	}
	options.Missing = stablehlo.Missing(slices.Index(missingNames, missing))
	j, s, ok := load(e, files[0])
	if !ok {
		return wrong
	}
	if to == "onnx" {
		if j.InNames == nil && len(e.labels) == len(j.Ins) {
			j.InNames = e.labels
		}
		var b bytes.Buffer
		if err := onnx.Save(&b, j); err != nil {
			report(e, s, err)
			return wrong
		}
		e.out.Write(b.Bytes())
		return done
	}
	text, err := moduleText(j, options)
	if err != nil {
		report(e, s, err)
		return wrong
	}
	fmt.Fprint(e.out, text)
	return done
}

func moduleText(j *jaxpr.Jaxpr, options stablehlo.WriteOptions) (string, error) {
	options.Bytes = func(v core.Value) ([]byte, bool) {
		a, ok := v.(*runtime.Array)
		if !ok {
			return nil, false
		}
		var data []byte
		a.Read("lower", func(t *reference.Tensor) { data = slices.Clone(t.Data) })
		return data, true
	}
	return stablehlo.Write(j, options)
}
