package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A deviceCheck is a kind of check. Several processes run a share of it each.
type deviceCheck struct {
	kind   string
	shares []string // names
	counts map[string]int
	// The numbers of shares that have passed, failed and not ended. The other shares have not run.
	passed, failed, unended int
	lacks                   string // what the device lacks for a share that was skipped; "": none was
}

// checkCounts are the numbers that are found in logs of checks, with the names of what they count.
var checkCounts = []struct {
	what    string
	pattern *regexp.Regexp
}{
	{"samples", regexp.MustCompile(`\d+ kernels of (\d+) samples`)},
	{"programs", regexp.MustCompile(`(\d+) programs ran`)},
	{"kernels", regexp.MustCompile(`(\d+) kernels`)},
	{"with kernels", regexp.MustCompile(`(\d+) of them with kernels`)},
	{"wrong", regexp.MustCompile(`(\d+) wrong`)},
	{"tests passed", regexp.MustCompile(`(?m)^--- PASS: ()`)},
	{"failed", regexp.MustCompile(`(?m)^--- FAIL: ()`)},
	{"skipped", regexp.MustCompile(`(?m)^--- SKIP: ()`)},
}

var neededMemory = regexp.MustCompile(`arrays of .* need .*, the device has .*`)

var shareNumber = regexp.MustCompile(`-\d+$`)

// checks returns the kinds of checks in the order in which they run.
func (l deviceLogs) checks() (all []*deviceCheck) {
	status := map[string]string{}
	for line := range strings.Lines(l.text("results")) {
		if words := strings.Fields(line); len(words) == 3 {
			status[words[1]] = words[0] // the last run counts
		}
	}
	for line := range strings.Lines(l.text("jobs")) {
		name, _, _ := strings.Cut(line, " ")
		kind := shareNumber.ReplaceAllString(name, "")
		i := slices.IndexFunc(all, func(c *deviceCheck) bool { return c.kind == kind })
		if i < 0 {
			i = len(all)
			all = append(all, &deviceCheck{kind: kind, counts: map[string]int{}})
		}
		c := all[i]
		c.shares = append(c.shares, name)
		switch status[name] {
		case "":
			continue
		case "0":
			c.passed++
		case "lacks":
			c.lacks = neededMemory.FindString(l.text(name + ".log"))
		case "124", "137":
			c.unended++
		default:
			c.failed++
		}
		log := l.text(name + ".log")
		for _, k := range checkCounts {
			for _, m := range k.pattern.FindAllStringSubmatch(log, -1) {
				n := 1
				if m[1] != "" {
					n, _ = strconv.Atoi(m[1])
				}
				c.counts[k.what] += n
			}
		}
	}
	return all
}

// verdict reports, in words and as a bool, whether all shares that the device can run have passed.
func (c *deviceCheck) verdict() (string, bool) {
	if c.lacks != "" {
		return "skipped: " + c.lacks, true
	}
	var words []string
	for _, k := range []struct {
		n    int
		what string
	}{{c.failed, "**FAILED**"}, {c.unended, "not ended"}, {len(c.shares) - c.passed - c.failed - c.unended, "not run"}} {
		if k.n > 0 {
			words = append(words, fmt.Sprintf("%s: %d", k.what, k.n))
		}
	}
	if len(words) == 0 {
		return "passed", true
	}
	return strings.Join(words, ", "), false
}

// printChecks prints the table of the checks and reports whether all have passed.
func (l deviceLogs) printChecks(w io.Writer) bool {
	checks := l.checks()
	if len(checks) == 0 {
		fmt.Fprintln(w, "checks: not run:", l.why("checks", ""))
		return false
	}
	fmt.Fprintln(w, "| check | shares that passed | what ran | |\n|---|---|---|---|")
	all := true
	for _, c := range checks {
		var counts []string
		for _, k := range checkCounts {
			if n, ok := c.counts[k.what]; ok {
				counts = append(counts, fmt.Sprintf("%s: %d", k.what, n))
			}
		}
		verdict, passed := c.verdict()
		all = all && passed
		fmt.Fprintf(w, "| %s | %d of %d | %s | %s |\n", c.kind, c.passed, len(c.shares), strings.Join(counts, ", "), verdict)
	}
	return all
}
