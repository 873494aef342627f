package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/weft-go/weft/cmd/weft/internal/args"
	"github.com/weft-go/weft/cmd/weft/internal/input"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

var evalCommand = command{
	name: "eval", args: "[flags] FILE [ARGUMENT…]",
	short: "run a program on arguments",
	long: `eval runs the program in FILE (- is standard input), the text of a jaxpr, a
StableHLO module or an ONNX model, and writes its results, one a
line; what the program prints goes to standard error. Captured constants, the binders
before the semicolon, are the first arguments, the inputs follow. An argument is

    f32[2,2]{{1,2},{3,4}}    elements with their type; the type may be left out
    1.5, -inf, (1+2j), True  a scalar, of the type that the program takes
    x.npy, x.npz, x.npz:w    arrays of a file of NumPy's: one, all in order, one by name

    --bits         arguments are read from standard input, results written, as JSON, a line
                   each: {"dtype":"f32","shape":[2],"bits":"0000803f00000040"}; bits are the
                   elements' bytes in hexadecimal, little-endian, row by row. Elements
                   narrower than a byte take one; a key is two 32-bit words, of rbg four.
    --on EXECUTOR  what runs the program; weft env lists the executors and the default
    --func NAME    the function of a StableHLO module (main). Arguments may be given by
                   the names that the module has for them: arg0=1.5. Sizes that the
                   module leaves open (tensor<?xf32>) are those of the arguments. The same
                   is true of ONNX models
    --bind NAME=ARGUMENT  of an ONNX model: the value of an input, which is no argument then
    --out DIR      results are written to DIR as 0.npy, 1.npy, …; as 0.safetensors if NumPy has
                   no name for their type: bf16, small floats and integers

    weft eval f.jaxpr 'f32[3]{1,2,3}' 0.5
    weft eval model.mlir x.npy
    weft eval model.onnx x=x.npy
    echo '{lambda;x:f32[].let y:f32[]=sin x in(y,)}' | weft eval - 2
`,
	run: runEval,
}

// executorNamed returns the executor of a name, the default one for "".
func executorNamed(name string) (x runtime.Executor, err error) {
	if name == "" {
		err = core.Catch(func() { x = runtime.Default() })
		return x, err
	}
	return runtime.Select(name)
}

func runEval(e *env, words []string) int {
	var bits bool
	var on, dir string
	words, ok := parseFlags(e, "eval", func(fs *flag.FlagSet) {
		fs.BoolVar(&bits, "bits", false, "")
		fs.StringVar(&on, "on", "", "")
		fs.StringVar(&e.function, "func", "", "")
		fs.StringVar(&dir, "out", "", "")
		fs.Func("bind", "", e.binds)
	}, words)
	if !ok {
		return usage
	}
	if len(words) == 0 {
		return misused(e, "eval", "no program; name a file that contains one, or - for standard input")
	}
	file, words := words[0], words[1:]
	if bits && file == "-" {
		return misused(e, "eval", "with --bits standard input contains the arguments; name a file with the program")
	}
	if bits && len(words) > 0 {
		return misused(e, "eval", "with --bits the arguments come from standard input; leave those of the command line out")
	}
	x, err := executorNamed(on)
	if err != nil {
		return misused(e, "eval", "%v", err)
	}
	read := func(want []core.ShapedArray) ([]*runtime.Array, error) {
		if bits {
			in, err := input.New("<stdin>", e.in)
			if err != nil {
				return nil, err
			}
			return args.ReadBits(in, want)
		}
		words, err := e.named(words)
		if err != nil {
			return nil, err
		}
		return args.Read(words, want)
	}
	var in []*runtime.Array
	refined := false
	e.refine = func(want []core.ShapedArray) (avals []core.ShapedArray, err error) {
		refined = true
		in, err = read(want)
		for _, a := range in {
			avals = append(avals, a.Aval())
		}
		e.given = in
		return avals, err
	}
	j, s, ok := load(e, file)
	if !ok {
		return wrong
	}
	j = constantsFirst(j)
	if !refined {
		if in, err = read(j.InAvals()); err != nil {
			fmt.Fprintf(e.err, "weft eval: %v\n", err)
			return wrong
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	defer runtime.SetOutput(runtime.SetOutput(e.err)) // standard output has the results
	out, err := runtime.Evaluate(ctx, x, j, in)
	if err != nil {
		if ctx.Err() != nil {
			fmt.Fprintln(e.err, "weft eval: interrupted")
			return wrong
		}
		report(e, s, err)
		return wrong
	}
	if dir != "" {
		if err := writeResults(dir, out); err != nil {
			fmt.Fprintf(e.err, "weft eval: %v\n", err)
			return wrong
		}
		return done
	}
	w := bufio.NewWriter(e.out)
	for _, a := range out {
		if bits {
			fmt.Fprintln(w, args.Bits(a))
		} else {
			fmt.Fprintln(w, args.Text(a))
		}
	}
	w.Flush() // run reports write errors, for every command
	return done
}

// constantsFirst returns j with its constants as its first inputs, unless they have values, as the constants of a module do.
func constantsFirst(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	if j.ConstVals != nil {
		return j
	}
	return &jaxpr.Jaxpr{Ins: slices.Concat(j.Consts, j.Ins), Eqns: j.Eqns, Outs: j.Outs}
}
