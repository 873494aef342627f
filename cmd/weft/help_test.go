package main

import (
	"strings"
	"testing"
)

// quoted splits a command line; text between single quotes is one word.
func quoted(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// The examples in the help that begin with echo run.
func TestHelpExamples(t *testing.T) {
	ran := 0
	for _, c := range commands {
		for line := range strings.Lines(c.long) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "echo ") {
				continue
			}
			ran++
			var text string
			for command := range strings.SplitSeq(line, " | ") {
				words := quoted(command)
				if words[0] == "echo" {
					text = words[1] + "\n"
					continue
				}
				status, out, errs := weft(t, text, words[1:]...)
				if status != done || out == "" {
					t.Errorf("%s: %s", line, errs)
				}
				text = out
			}
		}
	}
	if ran < 7 {
		t.Errorf("only %d examples", ran)
	}
}
