package custom_test

import (
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
)

// The document that docs/custom-derivatives.md follows breaks off; every part that it has is in the
// page.
func TestDocumentOfCustomRules(t *testing.T) {
	statement.Shows(t, "J-29", "the document breaks off there, and nothing is missing")
	page, err := os.ReadFile("../docs/custom-derivatives.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"maps that lose the rule", "Plain Go within rules", "a call that carries its rules", "call the function",
		"The forms", "Arguments that are not differentiated", "Closures", "Reverse mode, step by step",
		"clip_gradient", "straight through", "custom_lin", "core_call", "odeint",
	} {
		if !strings.Contains(strings.ToLower(string(page)), strings.ToLower(part)) {
			t.Errorf("the page does not mention %q", part)
		}
	}
}
