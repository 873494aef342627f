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

// The test that noticed a mutation before runs first, and others if it does not notice it now.
func TestTryBefore(t *testing.T) {
	const pick = `for a; do :; done; case "$a" in *Quick*|*Slow*) echo "--- FAIL: TestOf$a" | tr -d '^()$'; exit 1;; esac`
	var tests []test
	for i, name := range []string{"Passes", "Quick", "Slow"} {
		x := script(t, pick)
		x.Name, x.Took, x.Reached = name, time.Duration(i)*100*time.Second, map[int]bool{3: true}
		tests = append(tests, x)
	}
	for before, want := range map[string]string{"": "Quick", ". Slow": "Slow", ". Passes": "Quick", ". Gone": "Quick"} {
		if got := try(3, tests, before); got != (row{"noticed", ". TestOf" + want}) {
			t.Errorf("before %q: got %v, want %s", before, got, want)
		}
	}
	if got := try(4, tests, ""); got.result != "missed" {
		t.Errorf("got %v of a mutation that no test reaches", got)
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
