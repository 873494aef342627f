package promotecmd

import (
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/weft-go/weft/cmd/weft/internal/input"
	"github.com/weft-go/weft/promote"
)

// load finds a system by name, or reads it from a file.
func (c *command) load(name string) (promote.System, error) {
	s, unknown := promote.Find(name)
	if unknown == nil {
		return s, nil
	}
	inputs, err := c.read(name)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("%w; there is no such file either", unknown)
	}
	if err != nil {
		return nil, err
	}
	if len(inputs) != 1 {
		return nil, fmt.Errorf("%s contains %d graphs; only --check takes several", name, len(inputs))
	}
	return inputs[0].System()
}

// read reads graphs and tables from a file, or from standard input if the name is -.
func (c *command) read(name string) ([]promote.Input, error) {
	open := input.Open
	if name == "-" {
		open = func(name string) (*input.Reader, error) { return input.New(name, io.NopCloser(c.stdin)) }
	}
	r, err := open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	inputs, err := promote.Parse(filepath.Base(name), text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return inputs, nil
}

// operand parses a type or a number. A number is a weak operand with a value.
func operand(word string) (promote.Operand, error) {
	if t, ok := promote.ParseType(word); ok {
		return promote.Operand{Type: t, Scalar: t.Weak}, nil
	}
	if n, ok := new(big.Int).SetString(word, 0); ok {
		o := promote.Operand{Type: promote.WeakInt, Value: n}
		if n.IsInt64() {
			o.Value = int(n.Int64())
		}
		return o, nil
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return promote.Operand{Type: promote.WeakFloat, Value: f}, nil
	}
	if z, err := strconv.ParseComplex(word, 128); err == nil {
		return promote.Operand{Type: promote.WeakComplex, Value: z}, nil
	}
	return promote.Operand{}, fmt.Errorf("%q is neither a type nor a number; types are bool %s", word,
		strings.Join(promote.JAX.Algebra().Names()[1:], " "))
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
