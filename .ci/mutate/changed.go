package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// changedLines are the lines of files that differ from those of a commit.
type changedLines map[string]map[int]bool

var hunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)

func readChanges(commit string) (changedLines, error) {
	text, err := exec.Command("git", "diff", "--unified=0", "--no-color", "--no-ext-diff", commit, "--", "*.go").Output()
	if err != nil {
		return nil, fmt.Errorf("changes since %s: %w; name a commit of this repository", commit, err)
	}
	return parseChanges(text), nil
}

// parseChanges reads a difference without context.
func parseChanges(text []byte) changedLines {
	c := changedLines{}
	file := ""
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		line := s.Text()
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			file = strings.TrimPrefix(name, "b/")
			continue
		}
		m := hunk.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		first, _ := strconv.Atoi(m[1])
		n := 1
		if m[2] != "" {
			n, _ = strconv.Atoi(m[2])
		}
		if c[file] == nil {
			c[file] = map[int]bool{}
		}
		for i := range n {
			c[file][first+i] = true
		}
	}
	return c
}
