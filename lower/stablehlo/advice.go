package stablehlo

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

func (c *cursor) damaged(format string, args ...any) {
	c.failf(format+"; the file is damaged or incomplete, copy or export it again", args...)
}

// newer refuses bytecode that a later version of its format may define.
func (c *cursor) newer(format string, args ...any) {
	c.failf(format+"; serialize for an older version of StableHLO", args...)
}

// branching refuses bytecode whose blocks jump to each other.
func (c *cursor) branching(format string, args ...any) {
	c.failf(format+"; export control flow as stablehlo.if, stablehlo.case and stablehlo.while", args...)
}

// invalid refuses an operation that breaks its specification, as a verifier would.
func (t *translator) invalid(kind error, format string, args ...any) {
	t.fail(kind, format+"; correct the module, which stablehlo-opt verifies", args...)
}

func (t *translator) missing(key string) {
	t.fail(core.ErrCheck, "the attribute %s is missing; add it to the operation, or export the module again", key)
}

// unsupportedType returns the message for a type that Weft lacks, with advice.
func unsupportedType(t Type) string {
	fix := "export with an element type that weft has, such as f32, bf16 or i32"
	switch text := t.String(); {
	case strings.Contains(text, "!quant"):
		fix = "export the model without quantization"
	case strings.Contains(text, "<*x"):
		fix = "export with a known number of dimensions"
	}
	return fmt.Sprintf("the type %v is not supported; %s", t, fix)
}
