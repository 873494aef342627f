package main

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
)

// renamed lists the texts of JAX that Weft prints differently. In each, a program uses variables that JAX writes as _,
// because the program's caller drops them; Weft gives them names.
var renamed = map[string]bool{
	"mjx/loss_cartpole.grad":     true,
	"numpyro/potential_lkj.grad": true,
	"optimistix/lx_auto":         true,
	"optimistix/lx_bicgstab":     true,
	"optimistix/lx_gmres":        true,
	"optimistix/lx_lstsq_qr":     true,
	"optimistix/lx_lstsq_svd":    true,
	"optimistix/lx_svd":          true,
}

// Programs of the libraries of JAX's ecosystem print as JAX printed them, but for those that are listed.
func TestEcosystemTexts(t *testing.T) {
	n := 0
	for r := range goldenfile.Records[struct{ ID, Text string }](t, goldenfile.Open(t, "jax/eco/programs.dev.jsonl.gz", "testdata/eco.jsonl.gz")) {
		n++
		status, out, errs := weft(t, r.Text+"\n", "fmt", "-")
		if status != 0 {
			t.Errorf("%s: %s", r.ID, errs)
			continue
		}
		if same := strings.TrimSpace(out) == strings.TrimSpace(r.Text); same == renamed[r.ID] {
			t.Errorf("%s: prints as it was: %t, listed: %t", r.ID, same, renamed[r.ID])
		}
		if renamed[r.ID] && !golden.ReadsBlank(r.Text) {
			t.Errorf("%s is listed and reads no _", r.ID)
		}
	}
	if goldenfile.Whole() && n != 330 {
		t.Errorf("%d texts, want 330, of which 322 print as they were", n)
	}
}
