package devicecheck

import (
	"testing"

	_ "github.com/weft-go/weft/internal/test/executors"
)

// A recorder records how a test ends.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper()      {}
func (r *recorder) Fatal(...any) { r.ended = "failed" }
func (r *recorder) Skip(...any) {
	if r.ended == "" {
		r.ended = "skipped"
	}
}

func TestAbsent(t *testing.T) {
	for _, c := range []struct{ required, what, want string }{
		{"", "opencl", "skipped"},
		{"opencl", "opencl", "failed"},
		{"opencl,oclgrind", "oclgrind", "failed"},
		{"opencl", "cuda", "skipped"},
	} {
		t.Setenv(RequireVariable, c.required)
		r := &recorder{}
		if Absent(r, c.what, "no driver"); r.ended != c.want {
			t.Errorf("%s where %q is required: got %s, want %s", c.what, c.required, r.ended, c.want)
		}
	}
}
