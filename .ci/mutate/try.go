package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A test is a test function and what it did with no mutation active.
type test struct {
	Pkg, Name, Binary string
	Took              time.Duration // processor time
	Reached           map[int]bool
	Failed            bool
}

// record runs each test alone and returns what it reached. Records are kept by the content of the
// test binary.
func record(work string, binaries map[string]string) ([]test, error) {
	var all []test
	for _, pkg := range testPackages {
		binary := binaries[pkg]
		content, err := os.ReadFile(binary)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		file := filepath.Join(work, "record-"+hex.EncodeToString(sum[:8])+".json")
		var tests []test
		if text, err := os.ReadFile(file); err == nil {
			if err := json.Unmarshal(text, &tests); err != nil {
				return nil, err
			}
			all = append(all, tests...)
			continue
		}
		cmd := exec.Command(binary, "-test.list", ".")
		cmd.Dir = pkg
		names, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("tests of %s: %w", pkg, err)
		}
		start := time.Now()
		for _, name := range strings.Fields(string(names)) {
			if strings.HasPrefix(name, "Benchmark") {
				continue
			}
			t := test{Pkg: pkg, Name: name, Binary: binary, Reached: map[int]bool{}}
			reached := filepath.Join(work, "reached")
			os.Remove(reached)
			out, took, err := runTests(t, []string{name}, 10*time.Minute, "WEFT_MUTANT_REACHED="+reached)
			t.Took = took
			if err != nil {
				t.Failed = true
				fmt.Printf("left out: %s %s fails with no mutation active:\n%s\n", pkg, name, lastLines(out))
			}
			text, _ := os.ReadFile(reached)
			for _, f := range strings.Fields(string(text)) {
				n, err := strconv.Atoi(f)
				if err != nil {
					return nil, err
				}
				t.Reached[n] = true
			}
			tests = append(tests, t)
		}
		fmt.Printf("recorded %d tests of %s in %v\n", len(tests), pkg, time.Since(start).Round(time.Second))
		text, err := json.Marshal(tests)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return nil, err
		}
		all = append(all, tests...)
	}
	return all, nil
}

func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return strings.Join(lines[max(0, len(lines)-12):], "\n")
}

var errEndless = errors.New("tests do not end")

// runTests runs tests of one package in a process with a limited address space, since a mutation may
// allocate without end. The limit is the processors' time, which other work on the machine does not
// change; the tests may wait for ten times as long. It returns the output and the processors' time.
func runTests(t test, names []string, limit time.Duration, env ...string) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*limit)
	defer cancel()
	seconds := strconv.Itoa(int(limit/time.Second) + 1)
	pattern := "^(" + strings.Join(names, "|") + ")$"
	cmd := exec.CommandContext(ctx, "bash", "-c", `ulimit -v 12000000 -t `+seconds+`; exec "$@"`, "-", t.Binary, "-test.short", "-test.failfast", "-test.timeout=0", "-test.run", pattern)
	cmd.Dir = t.Pkg
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return out.Bytes(), 0, err
	}
	took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err != nil && (ctx.Err() != nil || took >= limit) {
		err = errEndless
	}
	return out.Bytes(), took, err
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// try runs the tests that reach mutation n until one fails, first the one that noticed it before.
func try(n int, tests []test, before string) row {
	var reaching []test
	for _, t := range tests {
		if t.Reached[n] && !t.Failed {
			reaching = append(reaching, t)
		}
	}
	if len(reaching) == 0 {
		return row{"missed", "no test reaches it"}
	}
	for _, t := range reaching {
		if t.Pkg+" "+t.Name == before {
			if r, ok := tryTests(n, []test{t}); ok {
				return r
			}
		}
	}
	slices.SortStableFunc(reaching, func(a, b test) int { return cmp.Compare(a.Took, b.Took) })
	// Quick tests of one package share a process; packages with quicker tests come first.
	for len(reaching) > 0 {
		first := reaching[0]
		limit := max(4*first.Took, time.Second)
		var together []test
		reaching = slices.DeleteFunc(reaching, func(t test) bool {
			if t.Pkg != first.Pkg || t.Took > limit {
				return false
			}
			together = append(together, t)
			return true
		})
		if r, ok := tryTests(n, together); ok {
			return r
		}
	}
	return row{"missed", ""}
}

// tryTests runs tests of one package with mutation n and reports whether one noticed it.
func tryTests(n int, tests []test) (row, bool) {
	var names []string
	took := time.Duration(0)
	for _, t := range tests {
		names = append(names, t.Name)
		took += t.Took
	}
	pkg := tests[0].Pkg
	out, _, err := runTests(tests[0], names, 4*took+10*time.Second, "WEFT_MUTANT="+strconv.Itoa(n))
	switch {
	case err == nil:
		return row{}, false
	case err == errEndless:
		return row{"noticed", pkg + " (does not end)"}, true
	}
	by := "crash"
	if m := failed.FindSubmatch(out); m != nil {
		by = string(m[1])
	}
	return row{"noticed", pkg + " " + by}, true
}
