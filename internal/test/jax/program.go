package jax

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-go/weft/internal/test/python"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Program returns the f that a source defines, over the leaves of its arguments. inTree gives
// their forms as PyTreeDef(…); without it each leaf is an argument.
func Program(source, inTree string) func(x ...array) []array {
	s := python.NewScope(Library{}, map[string]any{})
	pyFunctions = pyWrapped{}
	python.Run(source, s)
	f, ok := s.Names["f"]
	if !ok {
		pyCannot("a program without f")
	}
	return func(x ...array) []array {
		var args []any
		for _, v := range x {
			args = append(args, v)
		}
		if inTree != "" {
			text := strings.TrimSuffix(strings.TrimPrefix(inTree, "PyTreeDef("), ")")
			_, form := Flatten(python.Eval(strings.ReplaceAll(text, "*", "0"), python.NewScope(Library{}, nil)))
			args = form.rebuild(x).(pyTuple)
		}
		leaves, _ := Flatten(pyCall(f, args, nil))
		return leaves
	}
}

// Eval returns the value of an expression over names: what it calls of jax.random and jax.lax are
// calls of the façade and of package random. The error is the library's, or an [Unknown].
func Eval(src string, names map[string]any) (v any, err error) {
	err = Catch(src, func() { v = python.Eval(src, python.NewScope(Library{Facade: true}, names)) })
	return v, err
}

// Catch calls f and returns its error: one of the library, or an [Unknown]. Other panics
// propagate.
func Catch(what string, f func()) error {
	err := testcheck.Recover(f)
	var unknown Unknown
	if errors.As(err, &unknown) {
		return unknown
	}
	var other *testcheck.Panic
	if errors.As(err, &other) {
		panic(fmt.Sprintf("%s: %v", what, other))
	}
	return err
}
