// Package testcheck contains assertions that tests of several packages share. It is for tests
// only.
package testcheck

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	_ "github.com/weft-go/weft/internal/test/collector" // garbage is collected less often
)

// A Panic is a panic that is no *core.Error.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Unwrap returns the panic's value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Recover calls f and returns its panic as an error: a *core.Error itself, anything else as a
// [*Panic].
func Recover(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *core.Error:
			err = r
		default:
			err = &Panic{r, debug.Stack()}
		}
	}()
	f()
	return nil
}

// Fails requires that f panics with a *core.Error of a kind whose message contains all words.
func Fails(t testing.TB, kind error, f func(), words ...string) {
	t.Helper()
	err := core.Catch(f)
	if !errors.Is(err, kind) {
		t.Errorf("got %v, want an error of kind %v with %q", err, kind, words)
		return
	}
	Contains(t, err.Error(), words...)
}

// PanicsWith requires that f panics with a value that is no *core.Error.
func PanicsWith(t testing.TB, want any, f func()) {
	t.Helper()
	err := Recover(f)
	if p, ok := err.(*Panic); !ok || p.Value != want {
		t.Errorf("got %v, want the panic %v", err, want)
	}
}

// Contains requires that a text contains all words.
func Contains(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("got %q, want %q in it", text, w)
		}
	}
}

// Near requires |got − want| ≤ tolerance·max(1, |want|).
func Near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	Within(t, what, got, want, tolerance*max(1, math.Abs(want)))
}

// Within requires |got − want| ≤ distance.
func Within(t testing.TB, what string, got, want, distance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= distance) {
		t.Errorf("%s: got %v, want %v within %g", what, got, want, distance)
	}
}

// Alike reports whether a and b agree to a relative tolerance, and in infinities and NaN.
func Alike(a, b, tolerance float64) bool {
	return Close(a, b, tolerance*max(math.Abs(a), math.Abs(b)))
}

// Close reports whether |a − b| is finite and ≤ distance, or a and b are equal or both NaN. A
// distance that is a multiple of an infinite number therefore accepts nothing else.
func Close(a, b, distance float64) bool {
	d := math.Abs(a - b)
	return a == b || a != a && b != b || d <= distance && !math.IsInf(d, 0)
}

// Must panics if err is not nil.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
