package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"golang.org/x/sys/cpu"

	"github.com/weft-go/weft/cmd/weft/internal/input"
)

var versionCommand = command{
	name: "version", args: "", short: "say which version this is",
	long: `version says which version of the module the command was built from, and with
which Go.
`,
	run: runVersion,
}

func runVersion(e *env, words []string) int {
	if len(words) > 0 {
		return misused(e, "version", "takes no arguments")
	}
	fmt.Fprintf(e.out, "weft %s, %s, %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return done
}

// version is the module's version as the build knows it.
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
arithmetic, the executors that --on names, and the settings of the environment.
WEFT_MAX_BYTES is the largest input in bytes: of a program's text (256 MiB unless
set), and of the elements in a .npz archive (256 MiB, or 32 times its size).
`,
	run: runEnv,
}

func runEnv(e *env, words []string) int {
	if len(words) > 0 {
		return misused(e, "env", "takes no arguments")
	}
	w := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "weft\t%s\n", version())
	fmt.Fprintf(w, "go\t%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "processors\t%d, of which %d are used (GOMAXPROCS)\n", runtime.NumCPU(), runtime.GOMAXPROCS(0))
	fmt.Fprintf(w, "chip\t%s\n", strings.Join(features(), " "))
	fmt.Fprintf(w, "executors\treference (pure Go; it defines the numbers)\n")
	fmt.Fprintf(w, "defaults\tf32 and i32 (weft.DefaultBits(64) for 64 bits), promotion as jax.numpy\n")
	for _, name := range []string{"GOMEMLIMIT", input.Variable} {
		if v := os.Getenv(name); v != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, v)
		}
	}
	w.Flush() // what is lost there is reported for every command
	return done
}

// features are what the chip has that kernels care for.
func features() []string {
	out := []string{runtime.GOARCH}
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"sse4.1", cpu.X86.HasSSE41}, {"avx", cpu.X86.HasAVX}, {"avx2", cpu.X86.HasAVX2}, {"fma", cpu.X86.HasFMA},
		{"avx512f", cpu.X86.HasAVX512F}, {"avx512bf16", cpu.X86.HasAVX512BF16}, {"amx-tile", cpu.X86.HasAMXTile},
		{"asimd", cpu.ARM64.HasASIMD}, {"fphp", cpu.ARM64.HasFPHP}, {"sve", cpu.ARM64.HasSVE},
	} {
		if f.has {
			out = append(out, f.name)
		}
	}
	return out
}
