//go:build (linux || darwin) && (amd64 || arm64)

package capi

import (
	"strings"
	"testing"
	"unsafe"
)

// A plugin whose calls of foreign functions have structs of another version gets an error: f is not called.
func TestFrames(t *testing.T) {
	message := ""
	fail := Callback(func(arg uintptr) uintptr {
		a := *(**failArgs)(unsafe.Pointer(&arg))
		message = string(unsafe.Slice((*byte)(a.message), 80))
		return 1
	})
	calls := 0
	h := handler{"n", func(number int64, in, out [][]byte) error { calls++; return nil }, error.Error}
	value := int64(7)
	name := []byte("n")
	for _, c := range []struct {
		what   string
		change func(f *frame, b *foreignBuffer)
		good   bool
	}{
		{"as they are known", func(*frame, *foreignBuffer) {}, true},
		{"a longer frame", func(f *frame, _ *foreignBuffer) { f.size += 8 }, true},
		{"a shorter frame", func(f *frame, _ *foreignBuffer) { f.size -= 8 }, false},
		{"longer operands", func(f *frame, _ *foreignBuffer) { f.in.size += 8 }, false},
		{"longer results", func(f *frame, _ *foreignBuffer) { f.out.size += 8 }, false},
		{"another configuration", func(f *frame, _ *foreignBuffer) { f.config.size += 8 }, false},
		{"a shorter array", func(_ *frame, b *foreignBuffer) { b.size -= 8 }, false},
	} {
		api := &foreignAPI{createError: fail}
		data := [4]byte{}
		b := &foreignBuffer{size: unsafe.Sizeof(foreignBuffer{}), element: 4, data: &data[0]}
		kind, s, list := int32(scalarKind), &span{&name[0], 1}, &scalar{int64Element, &value}
		f := &frame{size: unsafe.Sizeof(frame{}), api: api, stage: executeStage}
		f.in = buffers{size: unsafe.Sizeof(buffers{}), n: 1, list: &b}
		f.out = buffers{size: unsafe.Sizeof(buffers{})}
		f.config = attributes{size: unsafe.Sizeof(attributes{}), n: 1, kinds: &kind, names: &s, list: &list}
		c.change(f, b)
		calls, message = 0, ""
		if got := h.serve(f); (got == 0) != c.good || (calls == 1) != c.good || !c.good && !strings.Contains(message, "structs of another version") {
			t.Errorf("%s: got %d after %d calls, message %q", c.what, got, calls, message)
		}
	}
	about := &metadata{}
	f := &frame{ext: &frameExtension{kind: metadataExtension, meta: about}, api: &foreignAPI{version: version{major: 1, minor: 2}}}
	if h.serve(f); about.api.major != 0 || about.api.minor != 2 {
		t.Errorf("the handler has version %d.%d, want 0.2", about.api.major, about.api.minor)
	}
}
