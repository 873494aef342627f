package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/lower/native/arm64"
	"github.com/weft-go/weft/lower/native/wasm"
	"github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime/device"
)

var showCommand = command{
	name: "show", args: "[--as html|dot|stats|text|plan|kernels|asm|opencl|ptx|stablehlo] [--after PASS] [--weak] [--on EXECUTOR] [--time] [--mesh SIZES [--net MODEL]] [FILE [FILE|ARGUMENT…]]",
	short: "show a program as a page, a graph or in numbers",
	long: `show writes another view of a program to standard output.

    --as html      a page: point at a variable to see its type and where it is used, click on
                   the brace of a program within an equation to fold it, search (the default).
                   With two files, or with --after, both programs stand side by side
    --as dot       a graph for Graphviz: weft show --as dot f.jaxpr | dot -Tsvg > f.svg
    --as stats     equations by operation, how many operations on numbers they are, and
                   how many bytes they read and write
    --as text      the text, laid out as weft fmt does (the default with --after)
    --as stablehlo a StableHLO module: see weft help lower
    --as plan      the steps of an executor with kernels: fused kernels and what they read
                   and write, equations left to the reference with the reason, memory
    --as kernels   these kernels in the kernel IR
    --as asm       their machine code, with the statement of the kernel IR that each part
                   computes; any machine shows the code of any executor
    --as opencl    the kernels and products as OpenCL C, for devices
    --as ptx       the same as PTX for compute capability 8.0
    --on EXECUTOR  the executor of --as asm: avx512 (the default), avx2, neon or simd128. With --as plan,
                   the number and size of the kernels that it has code for; cuda or opencl:
                   the plan of devices
    --time         with --as plan: run the program for half a second and write what its steps
                   take, the slowest first: time a run (a loop's without the steps in it),
                   calls, bytes of what the step reads and writes and operations on numbers
                   a second, beside what the machine reaches, and what has no machine code.
                   The clock takes some 50 ns a step. Arguments follow FILE as those of weft
                   eval; without any, numbers between
                   0 and 1 are taken
    --mesh SIZES   with --as plan: what a program over a mesh would cost on one of other sizes,
                   d=1024 or d=128,m=8, its pieces as they are: what nodes exchange, memory of
                   a device, the time of a step, and efficiency for 1 to 4096 devices along the
                   last axis named, for pieces as they are and for a fixed batch. On the mesh of
                   the text the exchanges are those of the program that each process runs
    --net MODEL    the network of --mesh: alpha=5us,beta=10GB/s,node=8,flops=50G is the time
                   of an exchange, bytes a second that leave a node, devices of a node, which
                   one process runs, and operations on numbers a second of a device (the
                   defaults, with node=1)
    --types TYPES  of a StableHLO module or an ONNX model: the types of arguments whose sizes it
                   leaves open, in order or as name=type: --types 'f32[3,8]'
    --bind NAME=ARGUMENT  of an ONNX model: the value of an input, as one that decides shapes
    --weak         mark weak types in the text: ~f32[]
    --after PASS   the program after a pass, and those before it, that rewrite a program for
                   an executor: ` + passNames() + `; all is the last one

    weft show --after all f.jaxpr
    weft show --as plan --time f.jaxpr x.npy
    weft grad f.jaxpr > g.jaxpr; weft show f.jaxpr g.jaxpr > page.html
`,
	run: runShow,
}

func passNames() string {
	var names []string
	for _, p := range lower.Passes() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

func runShow(e *env, words []string) int {
	var as, after, on, meshSizes, netModel string
	var weak, timed bool
	files, ok := parseFlags(e, "show", func(fs *flag.FlagSet) {
		fs.StringVar(&as, "as", "", "")
		fs.StringVar(&after, "after", "", "")
		fs.StringVar(&on, "on", "", "")
		fs.StringVar(&meshSizes, "mesh", "", "")
		fs.StringVar(&netModel, "net", "", "")
		fs.BoolVar(&weak, "weak", false, "")
		fs.BoolVar(&timed, "time", false, "")
		fs.StringVar(&e.function, "func", "", "")
		fs.StringVar(&e.types, "types", "", "")
		fs.Func("bind", "", e.binds)
	}, words)
	if !ok {
		return usage
	}
	if timed {
		if as != "plan" || after != "" || weak {
			return misused(e, "show", "--time measures the steps of a plan; add --as plan, and leave out --after and --weak")
		}
		if len(files) == 0 {
			files = []string{"-"}
		}
		j, s, ok := load(e, files[0])
		if !ok {
			return wrong
		}
		if err := showTimes(e, j, on, files[1:]); err != nil {
			report(e, s, err)
			return wrong
		}
		return done
	}
	if _, ok := instructionSets[on]; !(ok || isDevice(on) && as == "plan") || on != "" && as != "asm" && as != "plan" {
		return misused(e, "show", "--on %s does not apply; --as asm shows the code of avx512, avx2, neon or simd128, --as plan also the plan of cuda or opencl", on)
	}
	if meshSizes == "" && netModel != "" || meshSizes != "" && (as != "plan" || on != "") {
		return misused(e, "show", "--mesh goes with --as plan alone, and --net with --mesh; write weft show --as plan --mesh d=1024")
	}
	passes := lower.Passes()
	if after == "all" {
		after = passes[len(passes)-1].Name
	}
	if after != "" && !slices.ContainsFunc(passes, func(p lower.Pass) bool { return p.Name == after }) {
		return misused(e, "show", "unknown pass %s; the passes are %s", after, passNames())
	}
	if as == "" {
		as = "html"
		if after != "" || weak {
			as = "text"
		}
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	if len(files) > 1 && (as != "html" || len(files) > 2 || after != "") {
		return misused(e, "show", "one program at a time (got %d files); name one, or two with --as html", len(files))
	}
	if weak && as != "text" {
		return misused(e, "show", "--weak marks types in the text (got --as %s); leave --as out", as)
	}
	var view func(*jaxpr.Jaxpr, string) string
	switch as {
	case "html":
		view = (*jaxpr.Jaxpr).HTML
	case "dot":
		view = func(j *jaxpr.Jaxpr, _ string) string { return j.DOT() }
	case "text":
		view = func(j *jaxpr.Jaxpr, _ string) string { return j.Text(jaxpr.Options{Weak: weak}) + "\n" }
	case "stats":
		view = func(j *jaxpr.Jaxpr, _ string) string { return jaxpr.Stats(j).String() + costOf(j).String() }
	case "stablehlo":
		view = nil
	case "plan", "kernels", "asm", "opencl", "ptx":
		if after != "" {
			return misused(e, "show", "--as %s shows what follows all passes; leave out --after", as)
		}
		view = func(j *jaxpr.Jaxpr, _ string) string { return plan(j, as, on) }
		if meshSizes != "" {
			sizes, err := readMesh(meshSizes)
			if err != nil {
				return misused(e, "show", "%v", err)
			}
			net, err := readNetwork(netModel)
			if err != nil {
				return misused(e, "show", "%v", err)
			}
			view = func(j *jaxpr.Jaxpr, _ string) string { return machinePlan(j, sizes, net) }
		}
	default:
		return misused(e, "show", "unknown view %s; the views are html, dot, stats, text, plan, kernels, asm, opencl, ptx, stablehlo", as)
	}
	j, s, ok := load(e, files[0])
	if !ok {
		return wrong
	}
	if after != "" {
		before := j
		if err := core.Catch(func() { j = lower.After(j, after) }); err != nil {
			report(e, s, err)
			return wrong
		}
		if as == "html" {
			view = sideBySide(jaxpr.HTMLView{Heading: "before", Program: before}, "after "+after)
		}
	}
	if len(files) == 2 {
		first := jaxpr.HTMLView{Heading: s.name, Program: j}
		if j, s, ok = load(e, files[1]); !ok {
			return wrong
		}
		view = sideBySide(first, s.name)
	}
	if view == nil {
		text, err := moduleText(j, stablehlo.WriteOptions{})
		if err != nil {
			report(e, s, err)
			return wrong
		}
		fmt.Fprint(e.out, text)
		return done
	}
	var text string
	if err := core.Catch(func() { text = view(j, s.name) }); err != nil {
		report(e, s, err)
		return wrong
	}
	fmt.Fprint(e.out, text)
	return done
}

// sideBySide returns a view that shows a program beside the first one.
func sideBySide(first jaxpr.HTMLView, heading string) func(*jaxpr.Jaxpr, string) string {
	return func(j *jaxpr.Jaxpr, title string) string {
		return jaxpr.HTMLPage(title, first, jaxpr.HTMLView{Heading: heading, Program: j})
	}
}

// instructionSets maps the names of native executors to their instruction sets, and "" to the default one.
var instructionSets = map[string]native.ISA{"": amd64.AVX512, "avx512": amd64.AVX512, "avx2": amd64.AVX2, "neon": arm64.NEON{},
	"simd128": wasm.SIMD128{Relaxed: true}}

// plan lowers a program and returns its plan as text, its kernels, or their code for an
// executor.
func plan(j *jaxpr.Jaxpr, as, on string) string {
	j = lower.Program(j)
	if as == "opencl" || as == "ptx" || isDevice(on) {
		return devicePlan(j, as)
	}
	p := fuse.Translate(j, fuse.Native())
	isa := instructionSets[on]
	if as == "plan" {
		if on == "" {
			return p.String()
		}
		return p.String() + codeSize(p, isa)
	}
	var b strings.Builder
	for i, k := range p.Kernels() {
		if i > 0 {
			b.WriteByte('\n')
		}
		if as == "kernels" {
			b.WriteString(k.String())
			continue
		}
		c, err := native.Compile(k, native.Options{ISA: isa, Listing: true})
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		fmt.Fprintf(&b, "kernel %s: %v, %s of code, %s of scratch memory\n%s", k.Name, isa, core.Count(c.Size, "byte"), core.Count(c.Scratch, "byte"), c.Listing)
	}
	return b.String()
}

// isDevice reports whether an executor's name is that of devices, with a number or without:
// the plan is the same for all devices.
func isDevice(on string) bool {
	kind, number, numbered := strings.Cut(on, ":")
	if _, err := strconv.ParseUint(number, 10, 16); numbered && err != nil {
		return false
	}
	return kind == "cuda" || kind == "opencl"
}

// devicePlan returns the plan of a lowered program for devices as text, or its kernels' text.
func devicePlan(j *jaxpr.Jaxpr, as string) string {
	p := device.PlanOf(j)
	switch as {
	case "opencl":
		return opencl.Print(device.Functions(p, schedule.Device{Stages: 2, Adds: 4})...).Text
	case "ptx":
		return ptx.Print(80, device.Functions(p, schedule.Device{Digits: schedule.WarpDigits})...).Text
	}
	return device.PlanText(p)
}

// codeSize returns a line with the number of kernels that have code and the size of the code, and a
// line for each kernel that has no code.
func codeSize(p *fuse.Plan, isa native.ISA) string {
	var refused strings.Builder
	n, size := 0, 0
	for _, k := range p.Kernels() {
		c, err := native.Compile(k, native.Options{ISA: isa})
		if err != nil {
			fmt.Fprintf(&refused, "%v: %v; its loop or program runs on the reference\n", isa, err)
			continue
		}
		n, size = n+1, size+len(c.Bytes)
	}
	return fmt.Sprintf("%v: %s, %s of code and constants\n%s", isa, core.Count(n, "kernel"), core.Count(size, "byte"), refused.String())
}
