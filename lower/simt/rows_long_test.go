package simt_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// The threads of a group, and the groups of a cluster, share rows of more than a block with the reference's bits.
func TestLongRows(t *testing.T) {
	devices := []schedule.Device{{}, {Group: 100}, {Group: 128, Cluster: 2}, {Group: 64, Cluster: 4}}
	seed := uint64(0)
	clusters, alone := 0, 0
	for _, typ := range []string{"f32", "f64"} {
		for _, n := range []int{1025, 1984, 2048, 3072, 5000, 9217, 16384} {
			all := simttest.LongRows(typ, n, 1+int(seed%3))
			for _, name := range []string{"softmax", "sum", "norm"} {
				seed++
				k, d := all[name], devices[seed%4]
				f := simt.Lower(k, simt.Options{Device: d})
				if !simt.Rows(k, d) {
					if d.Group == 0 && n <= 8*ir.BlockSize && name != "norm" { // which keeps most
						t.Errorf("%s of %d %s on %+v: no group takes a row", name, n, typ, d)
					}
					continue
				}
				switch {
				case f.Threads > d.GroupThreads() || f.Cluster > max(d.Cluster, 1) || n > 2*ir.BlockSize && f.Threads*f.Cluster*ir.BlockSize/32 >= 2*n && f.Threads > 64:
					t.Errorf("%s of %d %s on %+v: %d groups of %d threads", name, n, typ, d, f.Cluster, f.Threads)
				case f.Cluster > 1:
					clusters++
				default:
					alone++
				}
				compare(t, k, seed, simt.Options{Device: d})
			}
		}
	}
	if clusters < 3 || alone < 10 {
		t.Errorf("clusters share the rows of %d kernels, groups of %d", clusters, alone)
	}
}

// Rows with many operations for an element are divided among more groups, with fewer elements a thread, or
// are no long rows.
func TestLongRowsOfManyOperations(t *testing.T) {
	for _, c := range []struct {
		ops, threads, cluster int
		device                schedule.Device
	}{
		{0, 64, 1, schedule.Device{Group: 64, Cluster: 4}},
		{200, 64, 2, schedule.Device{Group: 64, Cluster: 4}},
		{490, 64, 4, schedule.Device{Group: 64, Cluster: 4}},
		{490, 0, 0, schedule.Device{Group: 64, Cluster: 2}},
		{600, 0, 0, schedule.Device{Group: 64, Cluster: 4}},
	} {
		k := simttest.LongRows("f32", 7000, 1)["softmax"]
		r := k.Body[0].(*ir.Reduce)
		x := &r.Folds[0].Value
		for range c.ops {
			r.Body = append(r.Body, &ir.Let{Dst: ir.Ref(len(k.Types)), Inst: scalar.Inst{Op: scalar.OpNeg, Type: scalar.F32, Args: [3]ir.Ref{*x, ir.NoRef, ir.NoRef}}})
			*x = ir.Ref(len(k.Types))
			k.Types = append(k.Types, scalar.F32)
		}
		if err := k.Check(); err != nil {
			t.Fatal(err)
		}
		if got := simt.Rows(k, c.device); got != (c.threads > 0) {
			t.Errorf("%d operations on %+v: rows are shared: %v", c.ops, c.device, got)
			continue
		}
		if f := simt.Lower(k, simt.Options{Device: c.device}); c.threads > 0 && (f.Threads != c.threads || f.Cluster != c.cluster) {
			t.Errorf("%d operations on %+v: %d groups of %d threads share a row", c.ops, c.device, f.Cluster, f.Threads)
		}
		if c.cluster == 4 {
			compare(t, k, 7, simt.Options{Device: c.device})
		}
	}
}
