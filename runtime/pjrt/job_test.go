package pjrt_test

import (
	"context"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/mesh"
)

// twin is the transport of a process whose peer has the same data.
type twin struct{ mesh.Transport }

func (twin) Rank() (rank, size int) { return 0, 2 }
func (twin) Close(error) error      { return nil }
func (twin) Gather(_ context.Context, group []int, in, out []byte) error {
	for i := range group {
		copy(out[i*len(in):], in)
	}
	return nil
}

// XLA's threads exchange on behalf of the goroutine that runs a program: in a job, the one that has called
// mesh.Run.
func TestJob(t *testing.T) {
	d := device(t, 0)
	f := weft.Jit(mesh.ShardMap(func(x weft.Array) weft.Array { return lax.Psum(x, "d") }, mesh.New(mesh.Axis("d", 2)), mesh.In(mesh.P("d")), mesh.Out(mesh.P())), weft.On(d))
	err := mesh.Run(twin{}, func() error {
		for range 3 {
			requireText(t, "sum", f(weft.Arange(4.)), "[0. 2.]")
		}
		refused := make(chan error)
		go func() { refused <- core.Catch(func() { _ = f(weft.Arange(4.)).String() }) }()
		return <-refused
	})
	if err == nil || !strings.Contains(err.Error(), "begun by another goroutine") {
		t.Errorf("got %v, want that another goroutine is refused", err)
	}
}
