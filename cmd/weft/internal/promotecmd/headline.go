package promotecmd

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/promote"
)

// headline returns sentences that state the type of the sum of arrays of these types in Weft, and why. They stand
// before the table of the other systems.
func headline(words []string, ops []promote.Operand) string {
	sum := strings.Join(words, " + ")
	d, weak, err := promote.ResultOf(promote.JAX, 32, ops...)
	if err != nil {
		return fmt.Sprintf("%s is refused in Weft: %s.\n\n", sum, reason(err, true))
	}
	result := promote.Type{DType: d, Weak: weak}
	lines := []string{fmt.Sprintf("%s is %s in Weft.", sum, named(result))}
	for _, f := range []func([]promote.Operand, promote.Type) string{because, weakness, losses} {
		if line := f(ops, result); line != "" {
			lines = append(lines, line)
		}
	}
	for i, o := range ops {
		if !fits(o.Value, result) {
			lines = append(lines, fmt.Sprintf("The constant %s does not fit: arrays refuse it.", words[i]))
		}
	}
	return strings.Join(lines, "\n") + "\n\n"
}

// named returns a type with its article.
func named(t promote.Type) string {
	name := t.DType.String()
	switch {
	case t.Weak:
		return "a weak " + name
	case strings.Contains("aefi", name[:1]): // as the letters are pronounced
		return "an " + name
	}
	return "a " + name
}

// strong returns the element types of the operands that are not weak, each once.
func strong(ops []promote.Operand) (types []core.DType) {
	for _, o := range ops {
		if !o.Weak && !slices.Contains(types, o.DType) {
			types = append(types, o.DType)
		}
	}
	return types
}

// every lists types as in "every i8 and every u8".
func every(types []core.DType) string {
	var s []string
	for _, d := range types {
		s = append(s, "every "+d.String())
	}
	return strings.Join(s, " and ")
}

func because(ops []promote.Operand, result promote.Type) string {
	types := strong(ops)
	name := result.DType.String()
	var integers, inexact []core.DType
	for _, d := range types {
		if d.IsInteger() {
			integers = append(integers, d)
		} else if !d.IsBool() {
			inexact = append(inexact, d)
		}
	}
	bare := len(types) > 0 && slices.ContainsFunc(ops, func(o promote.Operand) bool { return o.Weak })
	switch {
	case len(types) == 1 && len(ops) > 1 && !bare:
		return "Operands of one type keep it."
	case len(integers) > 1 && len(inexact) == 0 && !bare && result.DType.IsFloat():
		return fmt.Sprintf("No integer type represents %s, so the result is a float.", every(integers))
	case len(integers) > 1 && len(inexact) == 0 && !bare && !slices.Contains(integers, result.DType):
		return fmt.Sprintf("%s is the smallest type that represents %s.", name, every(integers))
	case len(integers) > 0 && len(inexact) > 0 && slices.Contains(inexact, result.DType):
		return "Integers of any width take the type of the float or complex operand."
	case len(integers) == 0 && len(inexact) > 1 && !slices.Contains(inexact, result.DType):
		return fmt.Sprintf("%s is the smallest type that represents %s.", name, every(inexact))
	case bare && len(types) == 1 && types[0] == result.DType && !result.Weak:
		return "A bare number takes the type of the array that it is combined with."
	case bare && len(integers) == len(types) && result.Weak:
		return "A bare number of a higher kind makes the array one of its kind, but has no width of its own."
	}
	return ""
}

// weakness explains what a weak result is; it returns "" for a strong result.
func weakness(ops []promote.Operand, result promote.Type) string {
	if !result.Weak {
		return ""
	}
	kinds := map[core.Kind]string{core.KindInt: "any array of numbers", core.KindUint: "any array of numbers",
		core.KindFloat: "any array of floats or complex numbers", core.KindComplex: "any array of complex numbers"}
	star := name(promote.JAX, result)
	return fmt.Sprintf("Weak, written %s, means that it yields: it takes the type of %s that it is combined with next. It has the default width, 32 bits; DefaultBits(64) makes it 64.",
		star, kinds[result.DType.Kind()])
}

// losses names the types whose large values overflow or lose digits in the result's type.
func losses(ops []promote.Operand, result promote.Type) string {
	var lost []string
	for _, d := range strong(ops) {
		l := promote.LossOf(d, result.DType)
		switch {
		case l.Overflow:
			lost = append(lost, fmt.Sprintf("Large %s values are out of the range of %s.", d.String(), result.DType.String()))
		case l.Precision:
			lost = append(lost, fmt.Sprintf("Large %s values lose digits in %s.", d.String(), result.DType.String()))
		}
	}
	return strings.Join(lost, " ")
}

// loss returns the kinds of loss as words for the table: range, digits, parts.
func loss(ops []promote.Operand, to core.DType) string {
	var l promote.Loss
	for _, d := range strong(ops) {
		m := promote.LossOf(d, to)
		l.Overflow, l.Precision, l.Dropped = l.Overflow || m.Overflow, l.Precision || m.Precision, l.Dropped || m.Dropped
	}
	var words []string
	for _, w := range []struct {
		lost bool
		word string
	}{{l.Overflow, "range"}, {l.Precision && !to.IsInteger(), "digits"}, {l.Dropped, "parts"}} {
		if w.lost {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, ", ")
}

// fits reports whether arrays of the result's type can hold the constant v.
func fits(v any, result promote.Type) bool {
	d := result.DType
	switch v := v.(type) {
	case *big.Int:
		return !d.IsInteger() || v.IsUint64() && core.UintNumber(v.Uint64()).Fits(d)
	case int:
		return !d.IsInteger() || core.IntNumber(int64(v)).Fits(d)
	case float64:
		return math.IsInf(v, 0) || result.Weak || !d.IsInexact() || !math.IsInf(elem.Round(core.FloatNumber(v), d).Float(), 0)
	}
	return true
}
