package weft_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

// A map without arrays takes what there is, made or not, whatever it is called.
func TestLoadFillsEmptyMaps(t *testing.T) {
	var file bytes.Buffer
	if err := weft.Save(&file, map[string]weft.Array{"w": weft.Of(1., 2), "b": weft.Scalar(3.)}); err != nil {
		t.Fatal(err)
	}
	read := func() *bytes.Reader { return bytes.NewReader(file.Bytes()) }
	type name string
	type params map[name]weft.Array
	made := map[string]weft.Array{}
	same := made
	if err := weft.Load(read(), &made); err != nil || !slices.Equal(slices.Sorted(maps.Keys(same)), []string{"b", "w"}) {
		t.Errorf("an empty map: %v, %v", same, err)
	}
	for _, p := range []params{nil, {}} {
		if err := weft.Load(read(), &p); err != nil || len(p) != 2 || !p["w"].Equal(weft.Of(1., 2)) {
			t.Errorf("a map of a name: %v, %v", p, err)
		}
	}
	// One that holds some says which are expected.
	some := map[string]weft.Array{"w": weft.Zeros(2)}
	if err := weft.Load(read(), &some); err == nil || !strings.Contains(err.Error(), `no place for "b"`) || len(some) != 1 {
		t.Errorf("got %v, %v", some, err)
	}
	empty := map[string]weft.Array{}
	if err := weft.Load(bytes.NewReader(file.Bytes()[:file.Len()-1]), &empty); err == nil || len(empty) != 0 {
		t.Errorf("half a file: %v, %v", empty, err)
	}
}

// A file that promises a header of many bytes is not believed.
func TestLoadAllocatesWhatIsThere(t *testing.T) {
	file := append(binary.LittleEndian.AppendUint64(nil, 100<<20), "{}"...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var all map[string]weft.Array
	if err := weft.Load(bytes.NewReader(file), &all); err == nil || !strings.Contains(err.Error(), "ends within its header") {
		t.Errorf("got %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("reading ten bytes allocated %d", after.TotalAlloc-before.TotalAlloc)
	}
}
