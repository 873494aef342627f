//go:build (linux || darwin) && (amd64 || arm64)

package pjrt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/weft-go/weft/internal/test/fakepjrt"
)

// badStore fails, or panics.
type badStore struct{ panics bool }

func (s badStore) Put(string, []byte) error { return nil }

func (s badStore) Get(string, time.Duration) ([]byte, error) {
	if s.panics {
		panic("a mistake")
	}
	return nil, errors.New("the network is down")
}

// storeOf is another store of the same values.
type storeOf struct{ Store }

// A plugin that shares values with other processes reads what it has written. An error of the store is
// an error of creating the client.
func TestStore(t *testing.T) {
	f := fakepjrt.New()
	folder := filepath.Join(t.TempDir(), "run")
	s := StoreIn(folder)
	if _, err := sharing(f, "", s); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Get("fake", 0); err != nil || string(v) != "here" {
		t.Errorf("got %q (%v), want what the plugin has written", v, err)
	}
	if n := f.Calls()["values"]; n != 2 {
		t.Errorf("the plugin has got %d values, want 2", n)
	}
	for want, s := range map[string]Store{"the network is down": badStore{}, "the store panicked: a mistake": badStore{true}} {
		if _, err := sharing(f, "", s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	if live := left(f); len(live) > 0 {
		t.Errorf("objects are left: %v", live)
	}
	for _, function := range []string{"Client_Create", "Client_PlatformName"} { // a store lasts as long as its client
		f.Break(fakepjrt.Faults{Fail: func(name string, _ int) bool { return name == function }})
		lost := &storeOf{s}
		gone := weak.Make(lost)
		if _, err := sharing(f, "", lost); err == nil {
			t.Errorf("%s fails, and no error reports it", function)
		}
		lost = nil
		if collect(); gone.Value() != nil {
			t.Errorf("%s fails, and the store is kept", function)
		}
	}
	begin := time.Now()
	if _, err := s.Get("none", 30*time.Millisecond); !errors.Is(err, ErrNoValue) || time.Since(begin) < 30*time.Millisecond {
		t.Errorf("got %v after %v, want ErrNoValue after 30 ms", err, time.Since(begin))
	}
	go func() { time.Sleep(time.Millisecond); _ = StoreIn(folder).Put("late", []byte{1}) }() // as another process
	if v, err := s.Get("late", time.Minute); err != nil || len(v) != 1 {
		t.Errorf("got %v (%v), want the value that comes late", v, err)
	}
	if err := s.Put("late", nil); err != nil {
		t.Error(err)
	}
	if v, err := s.Get("late", 0); err != nil || len(v) != 0 {
		t.Errorf("got %v (%v), want the latest value, of no bytes", v, err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("the folder has %d files (%v), want one for each key", len(files), err)
	}
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := sharing(f, "", StoreIn(filepath.Join(folder, "file"))); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("the store's folder is a file: got %v", err)
	}
	if _, err := Open("plugin.so", Share(nil)); err == nil || !strings.Contains(err.Error(), "pjrt.Share is nil") {
		t.Errorf("got %v, want an error about the store", err)
	}
}
