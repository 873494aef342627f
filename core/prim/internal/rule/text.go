package rule

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// PyStr quotes a name as Python does.
func PyStr(s string) string {
	q := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = `"`
	}
	return q + strings.NewReplacer(`\`, `\\`, q, `\`+q).Replace(s) + q
}

// ReadPairs reads ((0, 1), (1, 1)).
func ReadPairs(r *jaxpr.ParamReader, key string) core.Dims {
	d, each := r.Pairs(key)
	if each != 0 && each != 2 {
		core.FailOp(core.ErrParse, "", nil, "parameter %s must be a tuple of pairs (got %q); write ((1, 1), (0, 0))", key, strings.TrimSpace(r.Text(key)))
	}
	return d
}

// IntLists finds the innermost lists and tuples of a nested text, which hold
// integers; nil if one contains anything else.
func IntLists(s string) []core.Dims {
	var out []core.Dims
	open := -1
	for i := range len(s) {
		switch s[i] {
		case '(', '[':
			open = i
		case ')', ']':
			if open < 0 {
				continue
			}
			var v []int
			for f := range strings.SplitSeq(s[open+1:i], ",") {
				if f = strings.TrimSpace(f); f == "" {
					continue
				}
				n, err := strconv.Atoi(f)
				if err != nil {
					return nil
				}
				v = append(v, n)
			}
			out = append(out, core.MakeDims(v...))
			open = -1
		}
	}
	return out
}

// Tuples writes a flat list as a tuple of tuples of k elements: ((0, 1, 0),).
func Tuples(d core.Dims, k int) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := 0; i < d.Len(); i += k {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.Slice(i, i+k).String())
	}
	if d.Len() == k {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}

// OptionalText reads a parameter. It returns "" if the parameter is None or absent.
func OptionalText(r *jaxpr.ParamReader, key string) string {
	if r.IsNone(key) {
		return ""
	}
	return r.Text(key)
}

// NoneIfEmpty returns the text of a parameter that [OptionalText] reads as s: None if s is empty.
func NoneIfEmpty(s string) string {
	if s == "" {
		return "None"
	}
	return s
}

// Param returns a parameter with a key and a value, which the text of the IR shows.
func Param(key string, value any) core.Param { return core.Param{Key: key, Value: value} }

// PyBool writes a bool as Python does.
func PyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}
