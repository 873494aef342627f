package codecache

import (
	"runtime"
	"testing"
)

func TestSharedProgramsLastAsLongAsTheyAreUsed(t *testing.T) {
	type program [64]byte
	var s Shared[program]
	if s.Get(keyOf(0)) != nil {
		t.Error("a program that was not added")
	}
	first := &program{}
	if p := s.Add(keyOf(0), first); p != first {
		t.Error("added a program, got another one")
	}
	if p := s.Add(keyOf(0), &program{}); p != first {
		t.Error("the second program of a key replaced the first one, which is used")
	}
	s.Forget(keyOf(0))
	if s.Get(keyOf(0)) != first || s.Get(keyOf(1)) != nil {
		t.Error("a program that is used was forgotten, or found by another key")
	}
	runtime.KeepAlive(first)
	runtime.GC()
	if s.Get(keyOf(0)) != nil {
		t.Error("a program that nothing uses is kept")
	}
	s.Forget(keyOf(0))
	if len(s.programs) != 0 {
		t.Error("the key of a program that is garbage is kept")
	}
	if next := (&program{}); s.Add(keyOf(0), next) != next {
		t.Error("a program that is garbage stands in the way of a new one")
	}
}
