// Package statement connects tests to the acceptance statements of the project: sentences
// about type promotion (P), MAX (M), anvil (A), custom derivatives (J), arguments that are
// not differentiated (V) and omnistaging (O). It is for tests only.
package statement

import (
	"fmt"
	"strings"
	"testing"
)

// Families contains the number of statements of each family.
var Families = map[string]int{"P": 40, "M": 8, "A": 8, "J": 29, "V": 8, "O": 8}

// Shows declares that the assertions of the calling test show a statement: what describes
// the part that they show. If the test fails, its log names the statement. A test of the
// root package collects the calls and requires one for each statement.
func Shows(t testing.TB, id, what string) {
	t.Helper()
	if err := Check(id, what); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("not shown: %s: %s", id, what)
		}
	})
}

// Check reports an id outside of the families and a description that describes nothing.
func Check(id, what string) error {
	family, number, _ := strings.Cut(id, "-")
	n := 0
	if _, err := fmt.Sscanf(number, "%d", &n); err != nil || fmt.Sprint(n) != number || n < 1 || n > Families[family] {
		return fmt.Errorf("statement: unknown id (got %q, want P-1 to O-8); use the id of a statement", id)
	}
	if len(strings.Fields(what)) < 3 {
		return fmt.Errorf("statement: description of %s is too short (got %q, want a sentence); describe what the test shows", id, what)
	}
	return nil
}
