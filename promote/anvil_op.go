package promote

import (
	"fmt"
	"strings"

	"github.com/weft-go/weft/core"
)

// AnvilOp is a kind of operation, by how anvil's ambiguity goes through it.
type AnvilOp int

// The kinds of operations.
const (
	AnvilUnary       AnvilOp = iota // also reshape, transpose, slice and reduce: keeps the flag
	AnvilBinary                     // ambiguous if both operands are
	AnvilSelect                     // select and if: ambiguous if both branches are
	AnvilConcatenate                // ambiguous if all operands are
	AnvilCompare                    // a bool, ambiguous if both operands are
	AnvilAnyAll                     // a bool: any and all keep the flag
	AnvilIndex                      // argmax and the like: never ambiguous, i32
	AnvilTest                       // is_finite: a bool, never ambiguous
	AnvilConvert                    // explicit: to the type of the second operand, never ambiguous
)

// AnvilPropagate returns the type of the result of an operation on operands of these
// types. Operands are first converted to their common type: one whose element
// type changes takes the common flag; the others keep theirs.
func AnvilPropagate(op AnvilOp, operands ...Type) (Type, error) {
	common, err := CommonType(operands...)
	if err != nil {
		return Type{}, err
	}
	if need := anvilArity[op]; need > 0 && len(operands) != need {
		return Type{}, &Error{System: Anvil.name, Types: operands, Why: fmt.Sprintf("the operation takes %d operands", need)}
	}
	all := true
	for _, t := range operands {
		if t.DType != common.DType {
			t.Weak = common.Weak
		}
		all = all && t.Weak
	}
	switch op {
	case AnvilUnary, AnvilBinary, AnvilSelect, AnvilConcatenate:
		return Type{common.DType, all}, nil
	case AnvilCompare, AnvilAnyAll:
		return Type{core.Bool, all}, nil
	case AnvilIndex:
		return Strong(core.Int32), nil
	case AnvilTest:
		return Strong(core.Bool), nil
	case AnvilConvert:
		return Strong(operands[1].DType), nil
	}
	return Type{}, &Error{System: Anvil.name, Types: operands, Why: fmt.Sprintf("no such kind of operation: %d", op)}
}

var anvilArity = map[AnvilOp]int{AnvilUnary: 1, AnvilBinary: 2, AnvilSelect: 2, AnvilCompare: 2,
	AnvilAnyAll: 1, AnvilIndex: 1, AnvilTest: 1, AnvilConvert: 2}

// AnvilTensor prints a number as anvil prints a tensor on the CPU: floats with
// four decimals, booleans as 1 and 0, and the type bool as pred.
func AnvilTensor(d core.DType, v any, dims ...int) (string, error) {
	var num string
	if b, ok := v.(bool); ok && d.IsBool() {
		num = "0"
		if b {
			num = "1"
		}
	} else if n, ok := integer(v); ok && !d.IsFloat() {
		num = n.String()
	} else if f, ok := float(v); ok && d.IsFloat() {
		num = fmt.Sprintf("%.4f", f)
	} else {
		return "", &Error{System: Anvil.name, Types: []Type{Strong(d)}, Why: fmt.Sprintf("a %T is no number of this type", v)}
	}
	name := map[bool]string{true: "pred", false: d.String()}[d.IsBool()]
	if d.IsUnsigned() {
		name = "ui" + strings.TrimPrefix(name, "u")
	}
	shape := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(dims)), ","), "[]")
	return fmt.Sprintf("AnvilTensor\n%s\n[ CPU%s{%s} ]", num, name, shape), nil
}
