package leaves

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
)

// A Name names a user's function in programs and in messages. Messages name a function literal by
// its place in the source, because its number says nothing.
type Name struct {
	Short string // as programs show it
	at    string // file:line of a literal; "" if the function has a name
}

// NameOf returns the name of the function f.
func NameOf(f any) Name {
	c := Name{Short: FuncName(f)}
	rest, ok := strings.CutPrefix(c.Short, "func")
	if ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
		pc := reflect.ValueOf(f).Pointer()
		if file, line := runtime.FuncForPC(pc).FileLine(pc); file != "" {
			c.at = fmt.Sprintf("%s:%d", filepath.Base(file), line)
		}
	}
	return c
}

// Function names the function in a sentence.
func (c Name) Function() string {
	if c.at == "" {
		return c.Short
	}
	return "the function at " + c.at
}

// Rule names the function in a sentence, after the word rule.
func (c Name) Rule() string {
	if c.at == "" {
		return c.Short
	}
	return "at " + c.at
}

// FuncName returns the short name of a Go function, as IR text shows it: the last part of its
// name; for a literal, func and its number.
func FuncName(f any) string {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		return "func"
	}
	name := runtime.FuncForPC(v.Pointer()).Name()
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.TrimSuffix(name, "-fm")
	name = strings.TrimSuffix(name, "[...]")
	name = name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(name, "0123456789") == "" {
		return "func" + name // a literal within a literal: main.main.func1.2
	}
	return name
}
