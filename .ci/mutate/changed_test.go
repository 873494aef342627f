package main

import "testing"

func TestParseChanges(t *testing.T) {
	c := parseChanges([]byte(`diff --git a/lower/x.go b/lower/x.go
--- a/lower/x.go
+++ b/lower/x.go
@@ -3,2 +3,0 @@ func f() {
-	a
-	b
@@ -9 +7 @@
-	c
+	d
@@ -20,0 +19,3 @@ func g() {
+	e
+	f
+	g
diff --git a/y.go b/y.go
--- a/y.go
+++ /dev/null
@@ -1 +0,0 @@
-package y
`))
	for line, want := range map[int]bool{3: false, 7: true, 8: false, 18: false, 19: true, 21: true, 22: false} {
		if c["lower/x.go"][line] != want {
			t.Errorf("line %d: got changed %v, want %v", line, !want, want)
		}
	}
	if len(c["y.go"]) > 0 {
		t.Errorf("a file that was removed: got %v", c["y.go"])
	}
}

// Further mutations are those of changed lines, as many as were wanted.
func TestChooseChanged(t *testing.T) {
	p := func(line int, change string) place {
		return place{pkg: "lower", file: "x.go", function: "f", change: change, line: line}
	}
	places := []place{p(1, "a"), p(2, "b"), p(3, "c"), p(4, "d"), p(5, "e")}
	rows := map[string]row{places[0].key(): {"noticed", "lower TestX"}}
	chosen := chooseChanged(places, rows, 2, changedLines{"lower/x.go": {1: true, 3: true, 4: true, 5: true}}, "")
	if other := chooseChanged(places, rows, 2, changedLines{"lower/x.go": {3: true}}, "runtime"); len(other) != 1 {
		t.Errorf("got %v of another package, want the listed place alone", other)
	}
	if len(chosen) != 3 || chosen[0].change != "a" {
		t.Errorf("got %v, want the listed place and two further ones", chosen)
	}
	for _, c := range chosen {
		if c.line == 2 {
			t.Error("a line that did not change was chosen")
		}
	}
}
