package golden

import (
	"fmt"
	"regexp"
)

var (
	blankOrBrace = regexp.MustCompile(`[{}]|([ (\n])_([:,) \n])`)
	blankOperand = regexp.MustCompile(`[ (]_[ ,)\n]`)
	resultList   = regexp.MustCompile(`in \([^()]*\)`)
)

// ReadsBlank reports whether an equation of a text reads a variable that is written _.
func ReadsBlank(text string) bool {
	return blankOperand.MatchString(resultList.ReplaceAllString(text, ""))
}

// NameBlanks returns a text in which equations read _ with names for the variables written so:
// each reading is taken to mean the last one bound. Other texts are returned unchanged.
func NameBlanks(text string) string {
	if !ReadsBlank(text) {
		return text
	}
	var out []byte
	n := 0
	last := []int{0} // bound in each program around the place
	rest := text
	for {
		at := blankOrBrace.FindStringSubmatchIndex(rest)
		if at == nil {
			return string(append(out, rest...))
		}
		end := at[1]
		switch rest[at[0]] {
		case '{':
			last = append(last, 0)
			out = append(out, rest[:end]...)
		case '}':
			last = last[:max(len(last)-1, 1)]
			out = append(out, rest[:end]...)
		default:
			end = at[4]
			if rest[end] == ':' {
				n++
				last[len(last)-1] = n
			}
			out = fmt.Appendf(append(out, rest[:at[3]]...), "unused%d", last[len(last)-1])
		}
		rest = rest[end:]
	}
}
