package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// parseFlags parses the flags among words, wherever they stand, and returns the other words. A lone - is not a flag, nor is
// a word that begins like a number, such as -1 and -inf, unless a flag has that name. Nothing after -- is a flag.
func parseFlags(e *env, name string, define func(*flag.FlagSet), words []string) (rest []string, ok bool) {
	fs := flag.NewFlagSet("weft "+name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	define(fs)
	for len(words) > 0 {
		w := words[0]
		if w == "--" {
			return append(rest, words[1:]...), true
		}
		key, _, joined := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(w, "-"), "-"), "=")
		f := fs.Lookup(key)
		if len(w) < 2 || w[0] != '-' || f == nil && strings.IndexByte("0123456789.in", w[1]) >= 0 {
			rest = append(rest, w)
			words = words[1:]
			continue
		}
		n := 1
		if f != nil && !joined && len(words) > 1 {
			if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
				n = 2 // the word after the flag is its value
			}
		}
		if err := fs.Parse(words[:n]); err != nil {
			fmt.Fprintf(e.err, "weft %s: %v\nsee weft help %s\n", name, err, name)
			return nil, false
		}
		words = words[n:]
	}
	return rest, true
}

func misused(e *env, name, format string, args ...any) int {
	fmt.Fprintf(e.err, "weft %s: %s\nsee weft help %s\n", name, fmt.Sprintf(format, args...), name)
	return usage
}
