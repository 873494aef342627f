package args

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
)

// Open stands, in the type of a parameter, for the size of an axis that the argument decides.
const Open = -1

// fits reports whether an argument of type got can be passed where the program takes want.
func fits(want, got core.ShapedArray) bool {
	if want.Rank() != got.Rank() {
		return false
	}
	return filled(want, got.Shape.Ints()).SameType(got)
}

func filled(want core.ShapedArray, sizes []int) core.ShapedArray {
	if !isOpen(want) {
		return want
	}
	shape := want.Shape.Ints()
	for axis, n := range shape {
		if n == Open {
			shape[axis] = sizes[axis]
		}
	}
	return want.WithShape(core.MakeDims(shape...))
}

func isOpen(a core.ShapedArray) bool { return a.Shape.Index(Open) >= 0 }

// typeText returns a type with ? for the sizes of open axes.
func typeText(a core.ShapedArray) string {
	return strings.ReplaceAll(a.String(), fmt.Sprint(Open), "?")
}

// sizesOf returns how many elements the first list at each level of nested braces has, and 0
// below an empty one.
func sizesOf(elements string, rank int) []int {
	sizes := make([]int, rank)
	level, ended, empty := 0, rank, true // the first lists at levels above ended are complete
	for _, c := range elements {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '{':
			if level > 0 && empty && level <= ended {
				sizes[level-1] = 1
			}
			if level++; level > rank {
				return sizes // the reader reports what is wrong
			}
			empty = true
			continue
		case '}':
			level--
			ended = min(ended, level)
			if level <= 0 {
				return sizes
			}
		case ',':
			if level > 0 && level <= ended {
				sizes[level-1]++
			}
		default:
			if level > 0 && empty && level <= ended {
				sizes[level-1] = 1
			}
		}
		empty = false
	}
	return sizes
}

// Types reads types for the arguments that have open axes, in order or as name=type, with
// blanks between them, and returns the types of all arguments. The argument i is called
// names[i] or labels[i].
func Types(text string, want []core.ShapedArray, names, labels []string) ([]core.ShapedArray, error) {
	out := slices.Clone(want)
	next := func() int {
		for i, a := range out {
			if isOpen(a) {
				return i
			}
		}
		return -1
	}
	for _, word := range strings.Fields(text) {
		i := -1
		name, word, named := strings.Cut(word, "=")
		if !named {
			name, word = "", name
			if i = next(); i < 0 {
				return nil, fmt.Errorf("--types: %s is left over; no other argument has an unknown size", word)
			}
		}
		for k := range out {
			if named && k < len(names) && (names[k] == name || labels[k] == name) {
				i = k
			}
		}
		if i < 0 {
			return nil, fmt.Errorf("--types: no argument is called %s", name)
		}
		got, err := parseType(word)
		if err != nil {
			return nil, fmt.Errorf("--types: %w", err)
		}
		if !fits(want[i], got) {
			return nil, fmt.Errorf("--types: argument %d: %w", i+1, typeError(want[i], got))
		}
		out[i] = got
	}
	if i := next(); i >= 0 {
		name := fmt.Sprint(i + 1)
		if i < len(labels) {
			name += " (" + labels[i] + ")"
		}
		return nil, fmt.Errorf("argument %s is %s: its sizes are known when the function is called; give such types to weft show, lower or a transformation, as --types '%s'", name, typeText(want[i]), filled(want[i], slices.Repeat([]int{3}, want[i].Rank())))
	}
	return out, nil
}
