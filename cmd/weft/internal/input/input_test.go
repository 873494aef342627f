package input

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// endless is a reader without an end, as /dev/zero is.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) { e.read += len(p); return len(p), nil }

// all reads all that r returns, and closes it.
func all(r *Reader, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if r.Count() != int64(len(b)) {
		err = fmt.Errorf("count is %d, read %d", r.Count(), len(b))
	}
	return b, err
}

func TestReadEndlessInput(t *testing.T) {
	t.Setenv(Variable, "1000")
	e := &endless{}
	_, err := all(New("zeros", e))
	if want := "zeros: input too large (more than 1000 bytes); set WEFT_MAX_BYTES to read more"; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	if e.read > 1<<16 {
		t.Errorf("read %d bytes, want about 1000", e.read)
	}
}

func TestReadWithinLimit(t *testing.T) {
	t.Setenv(Variable, "4")
	if b, err := all(New("text", strings.NewReader("1234"))); err != nil || string(b) != "1234" {
		t.Errorf("got %q, %v, want 1234 and no error", b, err)
	}
	if _, err := all(New("bytes with the end", iotest.DataErrReader(strings.NewReader("12345")))); err == nil {
		t.Error("5 bytes together with the end: no error with a limit of 4")
	}
	name := filepath.Join(t.TempDir(), "five")
	if err := os.WriteFile(name, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := all(Open(name)); err == nil {
		t.Error("a file of 5 bytes: no error with a limit of 4")
	}
	if _, err := all(Open(name + "s")); !os.IsNotExist(err) {
		t.Errorf("a file that does not exist: got %v", err)
	}
}

func TestLimitIsNumber(t *testing.T) {
	for _, s := range []string{"many", "-1", "0", "1e9"} {
		t.Setenv(Variable, s)
		if _, err := all(New("x", strings.NewReader(""))); err == nil || !strings.Contains(err.Error(), "WEFT_MAX_BYTES: not a number of bytes") {
			t.Errorf("%s: got error %v", s, err)
		}
	}
}
