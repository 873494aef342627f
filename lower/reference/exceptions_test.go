package reference

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/internal/test/goldenfile"
)

var updateExceptions = flag.Bool("exceptions", false, "write the list of elements that differ from their records anew")

// exceptionsFile names each element of each record that may differ from it, and why.
const exceptionsFile = "testdata/corner_exceptions.txt"

// exceptions are the elements that differ from their records, by record and reason.
type exceptions struct {
	listed map[string]bool
	found  map[string]*exception
}

type exception struct {
	id       int
	head     string
	reason   string
	elements []int
}

func newExceptions(t *testing.T) *exceptions {
	t.Helper()
	x := &exceptions{map[string]bool{}, map[string]*exception{}}
	text, err := os.ReadFile(exceptionsFile)
	if err != nil && !*updateExceptions {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		x.listed[strings.TrimSpace(line)] = true
	}
	return x
}

// note records that element i of a record differs from it.
func (x *exceptions) note(r *cornerRecord, reason string, i int) {
	key := fmt.Sprint(r.ID, reason)
	e := x.found[key]
	if e == nil {
		e = &exception{id: r.ID, head: fmt.Sprintf("%d %s %s", r.ID, r.Prim, r.DType), reason: reason}
		x.found[key] = e
	}
	e.elements = append(e.elements, i)
}

func (e *exception) String() string { return e.head + ": " + e.reason + ": " + ranges(e.elements) }

// ranges writes ascending numbers, neighbours as first-last.
func ranges(v []int) string {
	var words []string
	for i := 0; i < len(v); {
		k := i
		for k+1 < len(v) && v[k+1] == v[k]+1 {
			k++
		}
		word := strconv.Itoa(v[i])
		if k > i {
			word += "-" + strconv.Itoa(v[k])
		}
		words = append(words, word)
		i = k + 1
	}
	return strings.Join(words, " ")
}

// lists reports whether the file has all elements of e.
func (x *exceptions) lists(e *exception) bool {
	for line := range x.listed {
		numbers, ok := strings.CutPrefix(line, e.head+": "+e.reason+": ")
		if !ok {
			continue
		}
		listed := map[int]bool{}
		for _, word := range strings.Fields(numbers) {
			var lo, hi int
			if n, _ := fmt.Sscanf(word, "%d-%d", &lo, &hi); n == 1 {
				hi = lo
			}
			for i := lo; i <= hi; i++ {
				listed[i] = true
			}
		}
		return !slices.ContainsFunc(e.elements, func(i int) bool { return !listed[i] })
	}
	return false
}

// check requires that what differs is what the file lists: all of it where all records were read.
func (x *exceptions) check(t *testing.T) {
	t.Helper()
	es := slices.SortedFunc(maps.Values(x.found), func(a, b *exception) int {
		if a.id != b.id {
			return a.id - b.id
		}
		return strings.Compare(a.reason, b.reason)
	})
	var got, reasons []string
	count := map[string]int{}
	for _, e := range es {
		got = append(got, e.String())
		if count[e.reason] == 0 {
			reasons = append(reasons, e.reason)
		}
		count[e.reason] += len(e.elements)
	}
	for _, why := range reasons {
		t.Logf("%5d elements differ: %s", count[why], why)
	}
	switch {
	case !goldenfile.Whole():
		for _, e := range es { // records of the subset have the first elements
			if !x.lists(e) {
				t.Errorf("%s does not list %q", exceptionsFile, e)
			}
		}
	case *updateExceptions:
		if err := os.WriteFile(exceptionsFile, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(x.listed)), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", exceptionsFile, diff)
		}
	}
}
