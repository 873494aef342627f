package python

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/testcheck"
)

// numbers is a library of integers.
type numbers struct{}

func (numbers) Name(name string) any { Cannot("name %s", name); return nil }
func (numbers) Attribute(v any, name string) any {
	if l, ok := v.(*List); ok && name == "size" {
		return len(l.Items)
	}
	Cannot("attribute %s", name)
	return nil
}
func (numbers) Call(f any, pos []any, kw map[string]any) any { return f.(*Func).Call(pos, kw) }
func (numbers) Subscript(v, index any) any                   { return fmt.Sprint(v, index) }
func (numbers) Unary(op string, v any) any                   { return -v.(int) }
func (numbers) Truth(v any) bool                             { return v.(int) != 0 }
func (numbers) Operate(op string, x, y any) any {
	a, b := x.(int), y.(int)
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "**":
		n := 1
		for range b {
			n *= a
		}
		return n
	}
	Cannot("%s", op)
	return 0
}

func TestEval(t *testing.T) {
	for src, want := range map[string]string{
		"1 + 2 * 3 ** 2":                      "19",
		"-2 ** 2":                             "-4",
		"(1 + 2) * 3 - 1":                     "8",
		"(1, 2,)":                             "[1 2]",
		"[i * i for i in [1, 2, 3] if i - 2]": "&{[1 9]}",
		"[i + j for i in [1, 2, 3] if i - 2 for j in [10, 20]]": "&{[11 21 13 23]}",
		"[1, 2].size":                   "2",
		"(lambda a, b=2, *c: a * b)(5)": "10",
		"(lambda *c: c)(*(1, 2), 3)":    "[1 2 3]",
		"1 if 0 else 2":                 "2",
		"{'a': 1}":                      "map[a:1]",
		"7[1, :3, ...]":                 "7 [1 {<nil> 3 <nil>} {}]",
		"0x10 + 1_000":                  "1016",
		"2.5e-1":                        "0.25",
		"2j":                            "(0+2i)",
	} {
		if got := fmt.Sprint(Eval(src, NewScope(numbers{}, nil))); got != want {
			t.Errorf("%s: got %s, want %s", src, got, want)
		}
	}
}

func TestRun(t *testing.T) {
	s := NewScope(numbers{}, map[string]any{"x": 3})
	Run(`# a comment
def f(n, *, by=2):
    total, (a, b) = 0, (1, 2)
    for i in [n, a, b]:
        if i:
            total += i * by
        else:
            return 100
    return total

y = f(x); z = f(0)
`, s)
	for name, want := range map[string]any{"y": 12, "z": 100} {
		if got := s.Names[name]; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestUnknown(t *testing.T) {
	for src, want := range map[string]string{
		"nowhere":         "name nowhere",
		"1 % 2":           "%",
		"1 2":             `"2" at the end`,
		"[1).size":        `")" where "]"`,
		"'a":              "a string over several lines",
		"(lambda a: a)()": "without a",
	} {
		var u Unknown
		err := testcheck.Recover(func() { Eval(src, NewScope(numbers{}, nil)) })
		if !errors.As(err, &u) || !strings.Contains(u.Error(), want) {
			t.Errorf("%s: got %v, want an Unknown with %q", src, err, want)
		}
	}
}
