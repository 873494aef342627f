package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/cmd/weft/internal/input"
)

// An endless reader returns start, then the byte then forever. It fails when much more than the limit is read,
// so that the test does not exhaust the memory.
type endless struct {
	start string
	then  byte
	read  int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.start)
	e.start = e.start[n:]
	for i := range b[n:] {
		b[n+i] = e.then
	}
	if e.read += len(b); e.read > 1<<24 {
		return 0, errors.New("read without end")
	}
	return len(b), nil
}

// readers maps the name of a command to command lines that read the endless input: as a file or as standard input.
var readers = map[string][]string{
	"fmt": {"fmt -", "fmt"}, "check": {"check -", "check"}, "show": {"show -", "show --as dot -", "show --as stats -"},
	"eval":  {"eval -", "eval - 1", "eval --bits add"},
	"lower": {"lower --to stablehlo -"}, "jvp": {"jvp -", "jvp"}, "vjp": {"vjp -"}, "grad": {"grad -"}, "linearize": {"linearize -", "linearize --part lin -"},
	"transpose": {"transpose -"}, "vmap": {"vmap --size 3 -"}, "jit": {"jit -", "jit --name f -"},
	"promote": {"promote --check -", "promote --system - --table", "promote --system - i32 f32", "promote --diff - numpy"},
}

// readNothing are the commands that read no file.
var readNothing = []string{"env", "version", "completion", "launch"}

// Every command that reads a file stops at the limit if the file is endless, whatever it begins with.
func TestEndlessInputIsRefused(t *testing.T) {
	inFolder(t, map[string]string{"add": addText})
	t.Setenv(input.Variable, "100000")
	for _, c := range commands {
		if lines := readers[c.name]; (len(lines) == 0) != slices.Contains(readNothing, c.name) {
			t.Errorf("weft %s has %d command lines here; list what reads a file", c.name, len(lines))
		}
		for _, line := range readers[c.name] {
			for _, e := range []*endless{{}, {then: ' '}, {then: '{'}, {start: "{ lambda ; a:f32[", then: '1'}, {start: "func.func @main(", then: '%'},
				{start: "ML\xefR"}, {start: `{"dtype":"`, then: 'f'}, {start: `{"A": [`, then: ' '}, {start: "a < ", then: 'b'}} {
				what := e.start + string(e.then)
				var out, errs strings.Builder
				status := run(strings.Fields(line), e, &out, &errs)
				if status == done || out.Len() > 0 || strings.Count(errs.String(), "\n") > 20 {
					t.Errorf("weft %s of %q without end: got status %d, %d bytes of output and %.300q, want an error", line, what, status, out.Len(), errs.String())
				}
				if e.read > 1<<20 {
					t.Errorf("weft %s of %q without end read %d bytes, want about 100000", line, what, e.read)
				}
			}
		}
	}
}

// Endless devices are refused, with their name in the error.
func TestEndlessDeviceIsRefused(t *testing.T) {
	const device = "/dev/zero"
	if _, err := os.Stat(device); err != nil {
		t.Skip(err)
	}
	inFolder(t, map[string]string{"add": addText})
	for _, name := range []string{"zero.npy", "zero.npz"} {
		if err := os.Symlink(device, filepath.Join(".", name)); err != nil {
			t.Skip(err)
		}
		if status, out, errs := weft(t, "", "eval", "add", "1", name); status != wrong || out != "" || !strings.Contains(errs, name) {
			t.Errorf("an argument %s: got status %d, %q, %q", name, status, out, errs)
		}
	}
	t.Setenv(input.Variable, "100000")
	for _, lines := range readers {
		for _, line := range lines {
			if !strings.Contains(line, " -") || strings.Contains(line, "--bits") {
				continue
			}
			words := strings.Fields(line)
			for i, w := range words {
				if w == "-" {
					words[i] = device
				}
			}
			status, out, errs := weft(t, "", words...)
			if want := device + ": input too large (more than 100000 bytes)"; status == done || out != "" || !strings.Contains(errs, want) {
				t.Errorf("weft %s: got status %d, %q, %q, want %q", words, status, out, errs, want)
			}
		}
	}
}
