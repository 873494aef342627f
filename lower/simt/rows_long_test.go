package simt_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ir"
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
