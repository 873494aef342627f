// Command weft reads programs in the text form of the IR, StableHLO modules and
// ONNX models. It formats, checks, shows and evaluates them, differentiates and
// maps them into other programs, and explains type promotion.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/weft-go/weft/cmd/weft/internal/promotecmd"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/runtime/cpu" // the native executors
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// Exit statuses. Besides these, launch returns that of its job, and promote has its own.
const (
	done  = 0
	wrong = 1 // the program or its arguments are wrong
	usage = 2 // the command line is wrong
)

type env struct {
	in       io.Reader
	out, err io.Writer

	function  string   // the function of a module: --func
	arguments []string // the names of the arguments in the module that was read last
	labels    []string // the names that the exporter gave the arguments; the same as arguments where it gave no names

	types string // the types of arguments whose sizes a module leaves open: --types
	// refine returns the types of arguments with open sizes, instead of --types.
	refine func(want []core.ShapedArray) ([]core.ShapedArray, error)
	given  []*runtime.Array // the arguments of a call, set by refine

	bind []string // the values of inputs of an ONNX model, each as name=value: --bind

	progress *progress
}

type command struct {
	name, args, short, long string
	run                     func(e *env, words []string) int
}

// commands are the commands in the order in which help lists them. init sets them, since functions of commands refer to the
// list.
var commands []command

func init() {
	commands = []command{
		fmtCommand, checkCommand, showCommand, evalCommand,
		lowerCommand,
		jvpCommand, vjpCommand, gradCommand, linearizeCommand, transposeCommand, vmapCommand, jitCommand,
		launchCommand, promoteCommand, envCommand, versionCommand, completionCommand,
	}
}

var promoteCommand = command{
	name: "promote", args: "TYPE TYPE…", short: "explain which type several types promote to",
	run: func(e *env, words []string) int { return promotecmd.Run(words, e.in, e.out, e.err) },
}

func run(words []string, in io.Reader, out, err io.Writer) int {
	if len(words) == 0 {
		help(err)
		return usage
	}
	p := newProgress(err, "weft "+words[0])
	defer p.end()
	lost := &lossy{w: p.writer(out)}
	err = p.writer(err)
	status := (&env{in: in, out: lost, err: err, progress: p}).run(words)
	if lost.err != nil {
		fmt.Fprintf(err, "weft %s: the output is not complete: %v\n", words[0], lost.err)
		return max(status, wrong)
	}
	return status
}

func (e *env) run(words []string) int {
	switch words[0] {
	case "help", "-h", "-help", "--help":
		return helpCommand(e, words[1:])
	case "-version", "--version":
		words = append([]string{"version"}, words[1:]...)
	}
	for _, c := range commands {
		if c.name != words[0] {
			continue
		}
		for _, w := range words[1:] {
			if c.long != "" && (w == "-h" || w == "-help" || w == "--help") {
				helpOn(e.out, c)
				return done
			}
		}
		return c.run(e, words[1:])
	}
	fmt.Fprintf(e.err, "weft: there is no command %s\n\n", words[0])
	help(e.err)
	return usage
}

func helpCommand(e *env, words []string) int {
	if len(words) == 0 {
		help(e.out)
		return done
	}
	for _, c := range commands {
		if c.name != words[0] {
			continue
		}
		if c.long == "" {
			return c.run(e, []string{"--help"})
		}
		helpOn(e.out, c)
		return done
	}
	fmt.Fprintf(e.err, "weft: there is no command %s\n", words[0])
	return usage
}

func help(w io.Writer) {
	fmt.Fprint(w, `weft works on programs over arrays, written in the text form of the IR:

    { lambda ; a:f32[3] b:f32[3]. let c:f32[3] = mul a b; d:f32[3] = sin c in (d,) }

Between lambda and the dot stand captured constants, a semicolon, and the inputs;
then one equation an operation; behind in, the results. Types are always written.

commands:
`)
	for _, c := range commands {
		fmt.Fprintf(w, "    weft %-10s %s\n", c.name, c.short)
	}
	fmt.Fprint(w, `
Programs go from command to command: what one writes, the next reads.

    weft grad f.jaxpr | weft vmap --size 3 | weft eval - '{0,1,2}'
`)
	fmt.Fprint(w, "\nweft help COMMAND describes a command. Exit status: 0, or 1 if a program or its arguments are wrong, or 2 if the command line is.\n")
}

func helpOn(w io.Writer, c command) {
	fmt.Fprintf(w, "usage: weft %s\n\n%s", strings.TrimSpace(c.name+" "+c.args), c.long)
}

// lossy stores the first error of a writer, and discards what is written after it. So commands need not check each
// write, which fails when a disk is full.
type lossy struct {
	w   io.Writer
	err error
}

func (l *lossy) Write(b []byte) (int, error) {
	if l.err == nil {
		_, l.err = l.w.Write(b)
	}
	return len(b), nil
}
