package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var updatePage = flag.Bool("update", false, "write BENCHMARKS.md's table and its drawing anew")

// A ratioRow is a line of results/ratios.tsv: a row of the bench, the seconds that Weft and the best peer took, and that peer.
type ratioRow struct {
	name       string
	ours, best float64
	peer       string
}

func (r ratioRow) ratio() float64 { return r.best / r.ours }

// subjects are the lines of the table: the rows with one of the prefixes, except for those of an earlier subject.
var subjects = []struct {
	name     string
	prefixes string
}{
	{"a call beside its work", "a/"},
	{"elementwise functions", "b/"},
	{"softmax, layer norm, log-sum-exp", "c/"},
	{"matrix products", "d/"},
	{"perceptron, convolutions, LeNet", "e/ f/"},
	{"transformer", "g/"},
	{"compilation", "h/compile"},
	{"compiled chains of small operations", "h/run"},
	{"reductions, sorts, movement", "i/"},
	{"derivatives", "j/"},
	{"loops and recurrent layers", "k/"},
	{"random numbers, cold processes", "m/"},
	{"Fourier transforms", "n/fft n/rfft"},
	{"special functions", "n/i0e"},
	{"factorizations and solvers", "n/"},
}

func readRatios(t *testing.T) (rows []ratioRow) {
	text, err := os.ReadFile("results/ratios.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		word := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(word) != 4 {
			t.Fatalf("results/ratios.tsv: %q has %d columns, want 4", line, len(word))
		}
		ours, err := strconv.ParseFloat(word[1], 64)
		best, err2 := strconv.ParseFloat(word[2], 64)
		if err != nil || err2 != nil || !(ours > 0 && best > 0) {
			t.Fatalf("results/ratios.tsv: %q: want two positive times", line)
		}
		rows = append(rows, ratioRow{word[0], ours, best, word[3]})
	}
	return rows
}

// bySubject divides rows by their subjects, and sorts each part by ratio.
func bySubject(t *testing.T, rows []ratioRow) [][]ratioRow {
	parts := make([][]ratioRow, len(subjects))
	for _, r := range rows {
		i := slices.IndexFunc(subjects, func(s struct{ name, prefixes string }) bool {
			return slices.ContainsFunc(strings.Fields(s.prefixes), func(p string) bool { return strings.HasPrefix(r.name, p) })
		})
		if i < 0 {
			t.Fatalf("%s belongs to no subject", r.name)
		}
		parts[i] = append(parts[i], r)
	}
	for _, p := range parts {
		slices.SortStableFunc(p, func(a, b ratioRow) int { return cmp.Compare(a.ratio(), b.ratio()) })
	}
	return parts
}

func mean(rows []ratioRow) float64 {
	sum := 0.0
	for _, r := range rows {
		sum += math.Log(r.ratio())
	}
	return math.Exp(sum / float64(len(rows)))
}

func times(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// pageTable returns the table between the marks of BENCHMARKS.md.
func pageTable(parts [][]ratioRow) string {
	var b strings.Builder
	b.WriteString("| work | rows | mean | least | most |\n|---|---|---|---|---|\n")
	var behind []ratioRow
	for i, p := range parts {
		low, high := p[0], p[len(p)-1]
		fmt.Fprintf(&b, "| %s | %d | %s | %s `%s` | %s `%s` |\n", subjects[i].name, len(p), times(mean(p)), times(low.ratio()), low.name, times(high.ratio()), high.name)
		for _, r := range p {
			if r.ratio() < 0.95 {
				behind = append(behind, r)
			}
		}
	}
	b.WriteString("\nA peer is ahead by more than a twentieth in:\n\n")
	slices.SortStableFunc(behind, func(a, b ratioRow) int { return strings.Compare(a.peer, b.peer) })
	for i := 0; i < len(behind); {
		j := i
		for j < len(behind) && behind[j].peer == behind[i].peer {
			j++
		}
		fmt.Fprintf(&b, "* %s:", behind[i].peer)
		for k, r := range behind[i:j] {
			if k > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, " `%s` %s", r.name, times(r.ratio()))
		}
		b.WriteString("\n")
		i = j
	}
	return b.String()
}

// pageDrawing draws a line for each subject and on it a dot for each row, at the logarithm of its ratio.
func pageDrawing(parts [][]ratioRow) string {
	const left, width, step, top = 270, 620, 26, 40
	at := func(ratio float64) float64 {
		lo, hi := math.Log(0.2), math.Log(1000)
		return left + width*(math.Log(min(max(ratio, 0.2), 1000))-lo)/(hi-lo)
	}
	var b strings.Builder
	high := top + step*len(parts) + 30
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n", left+width+30, high)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for _, tick := range []float64{0.2, 0.5, 1, 2, 5, 10, 100, 1000} {
		color := "#ddd"
		if tick == 1 {
			color = "#888"
		}
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/><text x="%.1f" y="%d" text-anchor="middle">%g×</text>`+"\n", at(tick), top-10, at(tick), high-20, color, at(tick), top-16, tick)
	}
	for i, p := range parts {
		y := top + step*i + step/2
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", left-12, y+4, subjects[i].name)
		for _, r := range p {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%d" r="4" fill="#1565c0" fill-opacity="0.45"><title>%s %s</title></circle>`+"\n", at(r.ratio()), y, r.name, times(r.ratio()))
		}
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#c62828" stroke-width="2.5"/>`+"\n", at(mean(p)), y-8, at(mean(p)), y+8)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// BENCHMARKS.md's table and drawing are those of results/ratios.tsv.
func TestBenchmarksPage(t *testing.T) {
	const page, begin, end = "../BENCHMARKS.md", "<!-- ratios -->\n", "<!-- end -->\n"
	parts := bySubject(t, readRatios(t))
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s lacks the marks of its table", page)
	}
	for _, f := range []struct{ name, want string }{
		{page, head + begin + pageTable(parts) + end + tail},
		{"results/ratios.svg", pageDrawing(parts)},
	} {
		got, err := os.ReadFile(f.name)
		if *updatePage {
			if err := os.WriteFile(f.name, []byte(f.want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if err != nil || !bytes.Equal(got, []byte(f.want)) {
			t.Errorf("%s is not that of results/ratios.tsv (%v); run go test ./bench -run BenchmarksPage -update and read the difference", f.name, err)
		}
	}
	if lines := strings.Count(string(text), "\n"); lines > 120 {
		t.Errorf("%s has %d lines, want 120 at most", page, lines)
	}
}
