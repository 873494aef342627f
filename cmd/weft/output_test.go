package main

import (
	"errors"
	"strings"
	"testing"
)

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputWriteError(t *testing.T) {
	inFolder(t, map[string]string{"add": addText})
	for _, words := range []string{"fmt add", "check add", "show add", "show --as stats add", "grad --help", "vmap --size 2 add", "eval add 1 {1,2}", "env", "version", "completion bash"} {
		var errs strings.Builder
		status := run(strings.Fields(words), strings.NewReader(""), full{}, &errs)
		if status != wrong && !strings.HasSuffix(words, "--help") {
			t.Errorf("weft %s into a full disk ends with %d", words, status)
		}
		if status == wrong && strings.Count(errs.String(), "no space") != 1 {
			t.Errorf("weft %s prints %q", words, errs.String())
		}
	}
}

func TestJitRefusesNamesThatCannotBeRead(t *testing.T) {
	inFolder(t, map[string]string{"add": addText})
	for _, name := range []string{"f", "<lambda>", "f.func1"} {
		_, out, errs := weft(t, "", "jit", "--name", name, "add")
		if status, _, again := weft(t, out, "check", "-q"); status != done {
			t.Errorf("%q: %s%s", name, errs, again)
		}
	}
	if status, out, errs := weft(t, "", "jit", "--name", "a]", "add"); status != usage || out != "" || !strings.Contains(errs, "could not be read again") {
		t.Errorf("a]: %d %s %s", status, out, errs)
	}
}

func TestArgumentsAreQuotedShort(t *testing.T) {
	inFolder(t, map[string]string{"add": addText})
	for _, long := range []string{strings.Repeat("{", 10000), strings.Repeat("9", 9999) + "x", strings.Repeat("x", 9999) + "{1}"} {
		if status, _, errs := weft(t, "", "eval", "add", "1", long); status != wrong || len(errs) > 400 {
			t.Errorf("%d, an error of %d bytes", status, len(errs))
		}
	}
}

func TestInputEncodings(t *testing.T) {
	inFolder(t, map[string]string{"marked": "\ufeff" + addText, "blank": " \n"})
	_, want, _ := weft(t, addText, "fmt")
	if status, out, errs := weft(t, "", "fmt", "marked"); status != done || out != want {
		t.Errorf("%d %q %s", status, out, errs)
	}
	for _, words := range []string{"check -", "fmt blank", "grad"} {
		if status, _, errs := weft(t, "", strings.Fields(words)...); status != wrong || !strings.Contains(errs, "the text is empty") {
			t.Errorf("weft %s: %d %s", words, status, errs)
		}
	}
	_, version, _ := weft(t, "", "version")
	if status, out, errs := weft(t, "", "--version"); status != done || out != version {
		t.Errorf("--version: %d %s%s", status, out, errs)
	}
	if _, out, _ := weft(t, "", "env", "--help"); strings.Contains(out, " \n") {
		t.Errorf("%q", out)
	}
}
