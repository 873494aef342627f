package mpi

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// A process that no launcher has started needs no library, and outlives its job.
func TestAlone(t *testing.T) {
	for _, v := range []string{Variable, "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "PMI_RANK"} {
		t.Setenv(v, "")
	}
	for _, cause := range []error{nil, errors.New("a reason")} {
		p, err := Open()
		if err != nil {
			t.Fatal(err)
		}
		if rank, size := p.Rank(); rank != 0 || size != 1 {
			t.Errorf("got rank %d of %d, want 0 of 1", rank, size)
		}
		in := []byte{1, 2, 3}
		for name, f := range map[string]func(out []byte) error{
			"Gather":   func(out []byte) error { return p.Gather(t.Context(), []int{0}, in, out) },
			"Exchange": func(out []byte) error { return p.Exchange(t.Context(), []int{0}, in, out) },
			"Permute":  func(out []byte) error { return p.Permute(t.Context(), 0, 0, in, out) },
		} {
			out := make([]byte, len(in))
			if err := f(out); err != nil || !bytes.Equal(in, out) {
				t.Errorf("%s: got %v, %v, want %v", name, out, err, in)
			}
		}
		if err := p.Gather(t.Context(), []int{0, 1}, in, make([]byte, 6)); err == nil {
			t.Error("a second process is gathered from")
		}
		ctx, end := context.WithCancelCause(t.Context())
		end(errors.New("enough"))
		if err := p.Gather(ctx, []int{0}, in, make([]byte, 3)); err == nil || err.Error() != "mpi: enough" {
			t.Errorf("a context that has ended: got %v", err)
		}
		if err := p.Close(cause); err != nil {
			t.Errorf("closed because of %v: %v", cause, err)
		}
		if err := p.Gather(t.Context(), []int{0}, in, make([]byte, 3)); err == nil {
			t.Error("a closed transport gathers")
		}
	}
}
