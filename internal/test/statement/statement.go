// Package statement connects tests to the acceptance statements of the project: sentences
// about type promotion (P), MAX (M), anvil (A), custom derivatives (J), arguments that are
// not differentiated (V) and omnistaging (O). It is for tests only.
package statement

import "testing"

// Shows declares that the assertions of the calling test show a statement: what describes
// the part that they show. If the test fails, its log names the statement.
func Shows(t testing.TB, id, what string) {
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("not shown: %s: %s", id, what)
		}
	})
}
