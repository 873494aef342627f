package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	chip "golang.org/x/sys/cpu"

	"github.com/weft-go/weft/cmd/weft/internal/input"
	wruntime "github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

var versionCommand = command{
	name: "version", args: "", short: "print the version",
	long: `version prints which version of the module the command was built from, and with
which Go.
`,
	run: runVersion,
}

func runVersion(e *env, words []string) int {
	if len(words) > 0 {
		return misused(e, "version", "takes no arguments; leave them out")
	}
	fmt.Fprintf(e.out, "weft %s, %s, %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}

// version returns the module's version as the build recorded it, or else the commit.
func version() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "of an unknown version"
	}
	v := b.Main.Version
	for _, s := range b.Settings {
		if s.Key == "vcs.revision" && (v == "" || v == "(devel)") {
			v = s.Value[:min(12, len(s.Value))]
		}
	}
	if v == "" || v == "(devel)" {
		v = "of a working tree"
	}
	return v
}

var envCommand = command{
	name: "env", args: "", short: "show the chip, the executors and the settings",
	long: `env shows what programs run on here: the chip and what it can do that matters to
arithmetic, the executors that --on names, which of them is the default and why, the
reason where one cannot run, and the settings of the environment. A command that was
built with the tag drivers lists devices with their drivers and capabilities, and why
one is not used, also those of the plugins of XLA that WEFT_PJRT names.

WEFT_EXECUTOR selects the default executor. WEFT_THREADS bounds the threads of programs.
WEFT_OMNISTAGING=0 records only what depends on an argument, as weft.Omnistaging(false).
WEFT_MAX_BYTES is the largest input in bytes: of a program's text (256 MiB unless
set), and of the elements in a .npz archive (256 MiB, or 32 times its size).
WEFT_MPI names the file of the MPI library.
`,
	run: runEnv,
}

func runEnv(e *env, words []string) int {
	if len(words) > 0 {
		return misused(e, "env", "takes no arguments; leave them out")
	}
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "weft\t%s\n", version())
	fmt.Fprintf(w, "go\t%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "processors\t%d, of which %d are used (GOMAXPROCS)\n", runtime.NumCPU(), runtime.GOMAXPROCS(0))
	fmt.Fprintf(w, "chip\t%s\n", strings.Join(features(), " "))
	writeExecutors(w)
	if about, err := aboutMPI(); err != nil {
		fmt.Fprintf(w, "mpi\tnone: %s\n", strings.TrimPrefix(err.Error(), "mpi: "))
	} else {
		fmt.Fprintf(w, "mpi\t%s\n", about)
	}
	for _, f := range cpu.Facts() {
		fmt.Fprintf(w, "%s\t%s\n", f.Name, f.Value)
	}
	fmt.Fprintf(w, "defaults\tf32 and i32 (weft.DefaultBits(64) for 64 bits), promotion as jax.numpy\n")
	for _, name := range []string{"GOMEMLIMIT", wruntime.ExecutorVariable, cpu.ThreadsVariable, "WEFT_PJRT", wruntime.OmnistagingVariable, input.Variable, mpiVariable} {
		if v := os.Getenv(name); v != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, v)
		}
	}
	w.Flush() // run reports write errors, for every command
	return done
}

// writeExecutors lists the executors, each with a description or the reason why it cannot run, and
// names the default executor.
func writeExecutors(w io.Writer) {
	name := "executors"
	for _, x := range wruntime.Executors() {
		about := "compiles programs to machine code; the bits of the reference"
		if x == wruntime.Reference {
			about = "pure Go; it defines the numbers"
		}
		d, device := x.(interface{ Description() string })
		switch err := x.Available(); {
		case device:
			about = d.Description()
		case err != nil:
			about = "cannot run here: " + err.Error()
		}
		fmt.Fprintf(w, "%s\t%s (%s)\n", name, x.Name(), about)
		name = ""
	}
	writeMissing(w)
	if name := os.Getenv(wruntime.ExecutorVariable); name != "" {
		if _, err := wruntime.Select(name); err != nil {
			fmt.Fprintf(w, "default executor\tnone: %v\n", err)
		} else {
			fmt.Fprintf(w, "default executor\t%s (%s selects it)\n", name, wruntime.ExecutorVariable)
		}
		return
	}
	fmt.Fprintf(w, "default executor\t%s (unless %s selects another)\n", wruntime.Default().Name(), wruntime.ExecutorVariable)
}

// writeMissing reports why there are no devices of a kind.
func writeMissing(w io.Writer) {
	if !hasDrivers {
		fmt.Fprintf(w, "devices\tnone: the command was built without drivers; go install -tags drivers github.com/weft-go/weft/cmd/weft\n")
		return
	}
	name := "devices"
	for _, why := range wruntime.Missing() {
		fmt.Fprintf(w, "%s\t%v\n", name, why)
		name = ""
	}
}

// features returns the architecture, and the features of the chip that kernels depend on.
func features() []string {
	out := []string{runtime.GOARCH}
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"sse4.1", chip.X86.HasSSE41}, {"avx", chip.X86.HasAVX}, {"avx2", chip.X86.HasAVX2}, {"fma", chip.X86.HasFMA},
		{"avx512f", chip.X86.HasAVX512F}, {"avx512bf16", chip.X86.HasAVX512BF16}, {"amx-tile", chip.X86.HasAMXTile},
		{"asimd", chip.ARM64.HasASIMD}, {"fphp", chip.ARM64.HasFPHP}, {"sve", chip.ARM64.HasSVE},
	} {
		if f.has {
			out = append(out, f.name)
		}
	}
	return out
}
