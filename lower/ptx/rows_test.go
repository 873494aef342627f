package ptx_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ptx"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// The PTX of kernels whose rows are shared by a group or a cluster computes the evaluator's results.
func TestLongRows(t *testing.T) {
	for _, target := range []int{80, 90} {
		var d schedule.Device
		if ptx.Clusters(target) {
			d = schedule.Device{Group: 64, Cluster: 4}
		}
		for name, k := range simttest.LongRows("f32", 9218, 2) {
			f := simt.Lower(k, simt.Options{Device: d})
			if clustered := f.Cluster > 1; clustered != (d.Cluster > 1) {
				t.Errorf("%s: %d groups share a row", name, f.Cluster)
			}
			run(t, k, 3, f)
		}
	}
}

// Numbers of rows that the groups of a cluster read are replaced when all have read them.
func TestLongRowsInPlace(t *testing.T) {
	k := simttest.LongRows("f32", 4610, 2)["norm"]
	f := simt.Lower(k, simt.Options{Device: schedule.Device{Group: 64, Cluster: 4}})
	if f.Cluster < 2 {
		t.Fatal("no cluster takes a row")
	}
	m := ptx.Print(90, f)
	const b, w = 2, 4
	var want, got [][]byte
	for _, b := range k.Buffers {
		x := make([]byte, int(b.Len.Value)*b.Type.Size())
		want, got = append(want, x), append(got, bytes.Clone(x))
	}
	want[w], got[w] = want[b], got[b]
	for _, x := range [][]byte{want[b], got[b]} {
		binary.NativeEndian.PutUint32(x, math.Float32bits(3))
	}
	if err := ireval.Run(k, nil, want); err != nil {
		t.Fatal(err)
	}
	p, err := ptxeval.Parse(m.Text)
	if err == nil {
		err = p.Run(m.Names[0], 2*f.Cluster, got, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("buffer %d differs", i)
		}
	}
}

// The evaluator finds groups that read each other's memory without a barrier of the cluster, or end while it may be read.
func TestBarriersOfClusters(t *testing.T) {
	k := simttest.LongRows("f32", 9218, 2)["sum"]
	m := ptx.Print(90, simt.Lower(k, simt.Options{Device: schedule.Device{Group: 64, Cluster: 4}}))
	const arrive, wait = "\tbarrier.cluster.arrive.aligned;\n", "\tbarrier.cluster.wait.aligned;\n"
	if n := strings.Count(m.Text, arrive+wait); n != 2 {
		t.Fatalf("there are %d barriers of the cluster, want 2", n)
	}
	first, last := strings.Index(m.Text, arrive), strings.LastIndex(m.Text, arrive)
	without := func(at int) string { return m.Text[:at] + m.Text[at+len(arrive+wait):] }
	for name, c := range map[string]struct{ text, want string }{
		"none is missing":         {m.Text, ""},
		"before the read":         {without(first), "at once"},
		"at the end of a row":     {without(last), "may have ended"},
		"no wait":                 {strings.Replace(m.Text, wait, "", 1), "twice"},
		"no arrival":              {strings.Replace(m.Text, arrive, "", 1), "not arrived"},
		"a barrier of the group":  {strings.Replace(m.Text, arrive+wait, "\tbar.sync 0;\n", 1), "at once"},
		"groups that are no more": {strings.Replace(m.Text, ".reqnctapercluster 2", ".reqnctapercluster 1", 1), "not in shared memory of the cluster"},
	} {
		parsed, err := ptxeval.Parse(c.text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var buffers [][]byte
		for _, b := range k.Buffers {
			buffers = append(buffers, make([]byte, int(b.Len.Value)*b.Type.Size()))
		}
		err = parsed.Run(m.Names[0], 8, buffers, nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
