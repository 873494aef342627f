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

// A handler is registered by the extension for foreign functions, wherever it is in the list, and the plugin's calls reach
// it. A plugin that refuses it, or has no such extension, is an error.
func TestRegister(t *testing.T) {
	refuses := false
	var got registerArgs
	x := &foreignExtension{extension: extension{size: unsafe.Sizeof(foreignExtension{}), kind: foreign}}
	x.register = Callback(func(arg uintptr) uintptr {
		got = **(**registerArgs)(unsafe.Pointer(&arg))
		if refuses {
			return 7
		}
		return 0
	})
	message := []byte("no room")
	a := &API{extensions: &extension{kind: 1, next: &x.extension}}
	a.functions[ErrorMessage] = Callback(func(arg uintptr) uintptr {
		m := *(**messageArgs)(unsafe.Pointer(&arg))
		m.message, m.size = &message[0], uintptr(len(message))
		return 0
	})
	a.functions[ErrorGetCode] = Callback(func(uintptr) uintptr { return 0 })
	a.functions[ErrorDestroy] = a.functions[ErrorGetCode]
	var called []int64
	register := func(a *API) error {
		return a.Register("step", "Host", "n", func(n int64, in, out [][]byte) error {
			called = append(called, n)
			copy(out[0], in[0])
			return nil
		}, error.Error)
	}
	if err := register(a); err != nil {
		t.Fatal(err)
	}
	if target, platform := text((*byte)(got.target), got.targetSize), text((*byte)(got.platform), got.platformSize); target != "step" || platform != "Host" {
		t.Errorf("registered as %q for %q, want step for Host", target, platform)
	}
	value, name := int64(7), []byte("n")
	from, to := []byte("abcd"), make([]byte, 4)
	in, out := &foreignBuffer{size: unsafe.Sizeof(foreignBuffer{}), element: 4, data: &from[0]}, &foreignBuffer{size: unsafe.Sizeof(foreignBuffer{}), element: 4, data: &to[0]}
	kind, s, list := int32(scalarKind), &span{&name[0], 1}, &scalar{int64Element, &value}
	f := &frame{size: unsafe.Sizeof(frame{}), stage: executeStage}
	f.in, f.out = buffers{size: unsafe.Sizeof(buffers{}), n: 1, list: &in}, buffers{size: unsafe.Sizeof(buffers{}), n: 1, list: &out}
	f.config = attributes{size: unsafe.Sizeof(attributes{}), n: 1, kinds: &kind, names: &s, list: &list}
	if e := a.raw(got.handler, uintptr(unsafe.Pointer(f))); e != 0 || len(called) != 1 || called[0] != 7 || string(to) != "abcd" {
		t.Errorf("a call: got error %d, the numbers %v and the result %q, want 0, [7] and abcd", e, called, to)
	}
	refuses = true
	if err := register(a); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("the plugin refuses the handler: got %v", err)
	}
	for what, list := range map[string]*extension{"no extensions": nil, "another": {kind: 1}, "a shorter one": {size: unsafe.Sizeof(extension{}), kind: foreign}} {
		if err := register(&API{extensions: list}); err == nil || !strings.Contains(err.Error(), "no extension for foreign functions") {
			t.Errorf("%s: got %v, want an error", what, err)
		}
	}
}
