package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Tests that compute without end are stopped, and a failure in time is not taken for one.
func TestTimeLimit(t *testing.T) {
	for text, want := range map[string]error{
		"while :; do :; done": errEndless,
		"exit 0":              nil,
	} {
		if _, _, err := runTests(script(t, text), nil, 100*time.Millisecond); err != want {
			t.Errorf("%s: got error %v, want %v", text, err, want)
		}
	}
	if _, took, err := runTests(script(t, "exit 1"), nil, time.Minute); err == nil || err == errEndless || took >= time.Minute {
		t.Errorf("exit 1: got error %v after %v, want an exit status", err, took)
	}
}

// script returns a test whose binary is a script.
func script(t *testing.T, text string) test {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.test")
	if err := os.WriteFile(file, []byte("#!/bin/bash\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return test{Pkg: ".", Binary: file}
}

// A list reads back as it was written, with mutations that were not tried yet.
func TestListReadsBack(t *testing.T) {
	places := []place{
		{pkg: "lax", file: "sort.go", function: "Sort", change: "a < b => a <= b"},
		{pkg: "lax", file: "sort.go", function: "Sort", change: "a < b => a >= b"},
		{pkg: "random", file: "key.go", function: "Split", change: "n++ => left out"},
	}
	want := map[string]row{
		places[0].key(): {"noticed", "lax TestSort"},
		places[1].key(): {"untried", ""},
		places[2].key(): {"equivalent", "n is not read again"},
	}
	file := filepath.Join(t.TempDir(), "list.tsv")
	if err := writeList(file, places, want); err != nil {
		t.Fatal(err)
	}
	got, err := readList(file)
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %d rows, error %v, want %d", len(got), err, len(want))
	}
	for k, r := range want {
		if got[k] != r {
			t.Errorf("%s: got %v, want %v", k, got[k], r)
		}
	}
}
