// Mutate breaks the library in one place at a time and lists the mutations that no fast test
// detects. It is run by hand, in minutes to hours:
//
//	go run ./.ci/mutate -n 320
//
// It chooses places in comparisons, arithmetic, logic, indices, checks that refuse, calls of
// operations and statements, by a seeded hash of their text. All mutations are compiled at once,
// each behind a switch that an environment variable sets at start (see mutant.go.txt); the source
// tree is not changed, since the compiler reads an overlay. Each test runs once to record which
// mutations it reaches. Then each mutation runs the tests that reach it, quickest first, until one
// fails, crashes or takes too long.
//
// A line of the list (.ci/mutations.tsv) is a mutation: package, file, function, change, result,
// and what it was noticed by, or why it cannot be noticed. Results are "noticed", "missed", and
// "equivalent" with an explanation, which is written by hand and kept. Mutations in the list are
// not tried again, except for missed ones with -missed, and all but equivalent ones with -all. They
// are first marked "untried". So a run that was interrupted continues without flags. The test
// that noticed a mutation the last time runs first.
// Mutations whose source has changed leave the list. After larger changes,
//
//	go run ./.ci/mutate -since COMMIT -n 60
//
// tries mutations of the new lines, wherever they are.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/weft-go/weft"

type target struct {
	pkg   string
	share int
}

// targets are the packages that are broken, with their shares of the mutations.
var targets = []target{
	{"core/prim", 44},
	{"core/prim/hostcall", 3},
	{"core/prim/indexed", 10},
	{"core/prim/internal/rule", 3},
	{"core/prim/matrices", 8},
	{"core/prim/rng", 6},
	{"core/prim/windows", 6},
	{"transforms", 58},
	{"transforms/internal/depend", 2},
	{"lower", 15},
	{"lower/expand", 30},
	{"lower/reference", 15},
	{"lower/reference/fft", 2},
	{"lower/reference/internal/block", 5},
	{"lower/reference/internal/product", 2},
	{"lower/reference/linalg", 4},
	{"lower/reference/special", 2},
	{"lower/fuse", 20},
	{"lower/scalar", 10},
	{"lax", 25},
	{"random", 25},
	{"promote", 40},
	{"internal/nd", 35},
	{"runtime", 20},
	{"internal/encode", 5},
	{"internal/show", 2},
	{".", 18},
}

// testPackages are the packages whose tests must detect mutations, without the slow ones.
var testPackages = []string{
	"promote", "core/prim", "jaxpr", "transforms", "trace", "lower", "lower/expand", "lower/reference", "lower/reference/fft", "lower/reference/linalg", "lower/reference/special", "lower/fuse", "lower/scalar",
	"lower/simt", "runtime", "runtime/cpu",
	"lax", "random", "custom", "nn", "linalg", "special", "stats", "fft", "ode", "optim", "internal/keyreuse",
	"internal/test/devices", "internal/test/donation", "internal/test/hostile", "internal/test/jax", "internal/test/mistakes", "internal/test/promotion", "internal/test/staging", ".",
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 320, "how many mutations the list must have; with -since, how many are added")
	flag.StringVar(&o.since, "since", "", "add mutations of lines that changed since this commit")
	flag.StringVar(&o.list, "list", ".ci/mutations.tsv", "the list of results, read and rewritten")
	flag.StringVar(&o.work, "work", filepath.Join(os.TempDir(), "weft-mutate"), "a folder for test binaries and records of what tests reach; kept for the next run")
	flag.StringVar(&o.only, "pkg", "", "try, and add with -since, mutations of this package only")
	tests := flag.String("tests", strings.Join(testPackages, ","), "the packages whose tests run, separated by commas")
	flag.BoolVar(&o.missed, "missed", false, "try the missed mutations again")
	flag.BoolVar(&o.all, "all", false, "try all mutations again but those explained as equivalent")
	flag.Parse()
	testPackages = strings.Split(*tests, ",")
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

type options struct {
	n                       int
	list, work, only, since string
	missed, all             bool
}

func run(o options) error {
	if o.only != "" && !slices.ContainsFunc(targets, func(t target) bool { return t.pkg == o.only }) {
		return fmt.Errorf("-pkg %s is not among the packages that are broken, %v; choose one, or add it to targets", o.only, targets)
	}
	work, err := filepath.Abs(o.work)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	rows, err := readList(o.list)
	if err != nil {
		return err
	}
	places, err := findPlaces()
	if err != nil {
		return err
	}
	chosen := choose(places, rows, o.n)
	if o.since != "" {
		changed, err := readChanges(o.since)
		if err != nil {
			return err
		}
		chosen = chooseChanged(places, rows, o.n, changed, o.only)
	}
	binaries, chosen, err := build(work, chosen)
	if err != nil {
		return err
	}
	all := map[string]row{}
	var todo []int
	for i, p := range chosen {
		r, ok := rows[p.key()]
		all[p.key()] = r
		again := !ok || r.result == "untried" || o.missed && r.result == "missed" || o.all && r.result != "equivalent"
		if again && (o.only == "" || o.only == p.pkg) {
			todo = append(todo, i)
			all[p.key()] = row{"untried", r.by}
		}
	}
	if err := writeList(o.list, chosen, all); err != nil || len(todo) == 0 {
		return err
	}
	tests, err := record(work, binaries)
	if err != nil {
		return err
	}
	for i, n := range todo {
		p := chosen[n]
		r := try(n, tests, rows[p.key()].by)
		all[p.key()] = r
		fmt.Printf("%d/%d %s: %s:%d: %s: %s\n", i+1, len(todo), r.result, filepath.Join(p.pkg, p.file), p.line, p.change, r.by)
		if err := writeList(o.list, chosen, all); err != nil {
			return err
		}
	}
	count := map[string]int{}
	for _, r := range all {
		count[r.result]++
	}
	fmt.Printf("%d mutations: %d noticed, %d equivalent, %d missed\n", len(chosen), count["noticed"], count["equivalent"], count["missed"])
	return nil
}

// choose returns the places of the list that still exist and further ones until each package has
// its share of n, in the order of their keys.
func choose(places []place, rows map[string]row, n int) []place {
	shares := 0
	for _, t := range targets {
		shares += t.share
	}
	chosen := known(places, rows)
	count := map[string]int{}
	for _, p := range chosen {
		count[p.pkg]++
	}
	slices.SortStableFunc(places, func(a, b place) int { return strings.Compare(a.hash(), b.hash()) })
	for _, t := range targets {
		for _, p := range places {
			if count[t.pkg]*shares >= n*t.share {
				break
			}
			if _, ok := rows[p.key()]; !ok && p.pkg == t.pkg {
				chosen = append(chosen, p)
				count[t.pkg]++
			}
		}
	}
	slices.SortFunc(chosen, func(a, b place) int { return strings.Compare(a.key(), b.key()) })
	return chosen
}

// known returns the places of the list that still exist.
func known(places []place, rows map[string]row) (chosen []place) {
	for _, p := range places {
		if _, ok := rows[p.key()]; ok {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// chooseChanged returns the places of the list that still exist and n further ones on changed lines, in
// the order of their keys; of one package, if only names it.
func chooseChanged(places []place, rows map[string]row, n int, changed changedLines, only string) []place {
	chosen := known(places, rows)
	slices.SortStableFunc(places, func(a, b place) int { return strings.Compare(a.hash(), b.hash()) })
	for _, p := range places {
		if n == 0 {
			break
		}
		if _, ok := rows[p.key()]; !ok && changed[filepath.Join(p.pkg, p.file)][p.line] && (only == "" || only == p.pkg) {
			chosen = append(chosen, p)
			n--
		}
	}
	slices.SortFunc(chosen, func(a, b place) int { return strings.Compare(a.key(), b.key()) })
	return chosen
}
