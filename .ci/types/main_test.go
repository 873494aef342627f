package main

import (
	"strings"
	"testing"
)

// TestCheck looks for errors that only the compilers of some systems report.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ system, want string }{
		{"linux/arm64", ""},
		{"linux/386", "overflows"},
		{"windows/amd64", "undefined: one"},
		{"nowhere", "no such system"},
	} {
		errs := check("testdata/overflow", c.system)
		if (len(errs) > 0) != (c.want != "") {
			t.Errorf("%s: %v, want %q", c.system, errs, c.want)
		}
		for _, err := range errs {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.system, err, c.want)
			}
		}
	}
}
