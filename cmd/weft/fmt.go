package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/weft-go/weft/jaxpr"
)

var fmtCommand = command{
	name: "fmt", args: "[flags] [FILE…]",
	short: "parse, check and print programs",
	long: `fmt prints a program as the IR prints it: variables renamed a, b, c …, lines of 80,
programs that are used twice or have more than ten equations in front. Without a
file, or for -, it reads standard input.

    -w             write the result back to the file
    -l             list the files that would change, and no more
    --width N      keep lines within N columns where that is possible (80)
    --effects      print behind each program which effects it has

    echo '{lambda;x:f32[].let y:f32[]=sin x in(y,)}' | weft fmt
`,
	run: runFmt,
}

func runFmt(e *env, words []string) int {
	var write, list bool
	var o jaxpr.Options
	files, ok := parseFlags(e, "fmt", func(fs *flag.FlagSet) {
		fs.BoolVar(&write, "w", false, "")
		fs.BoolVar(&list, "l", false, "")
		fs.IntVar(&o.Width, "width", 80, "")
		fs.BoolVar(&o.Effects, "effects", false, "")
	}, words)
	if !ok {
		return usage
	}
	if o.Width < 1 {
		return misused(e, "fmt", "--width is too small; set 1 or more")
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	status := done
	for _, name := range files {
		if write && name == "-" {
			return misused(e, "fmt", "standard input cannot be written back; name a file with -w")
		}
		j, s, ok := loadWritten(e, name)
		if !ok {
			status = wrong
			continue
		}
		text := j.Text(o) + "\n"
		if list && text != s.text {
			fmt.Fprintln(e.out, s.name)
		}
		if write && text != s.text {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				fmt.Fprintf(e.err, "weft: %v\n", err)
				status = wrong
			}
		}
		if !write && !list {
			fmt.Fprint(e.out, text)
		}
	}
	return status
}
