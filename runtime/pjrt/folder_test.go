package pjrt

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/internal/codecache"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// Programs that a client finds on the disk are loaded, not compiled again. Many are loaded, to notice a
// plugin that reads what happens to be in memory after the arguments of a call.
func TestLoadedPrograms(t *testing.T) {
	p := pluginOf(t, "loaded")
	d := p.devices[0]
	if !d.api.Has(capi.ExecutableDeserializeAndLoad) {
		t.Skip("the plugin loads no programs")
	}
	d.folder = codecache.In(t.TempDir(), ".pjrt")
	for n := range 30 {
		b := jaxpr.NewBuilder()
		x := b.Input(core.Aval(core.Float32, n+1))
		j := b.Build(b.Eqn(prim.MulP{}, x, b.Eqn(prim.SinP{}, x)[0])[0])
		for k := range 2 {
			m, err := d.write(&runtime.Request{Jaxpr: j}, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			m.text += fmt.Sprintf("// %d\n", n)
			exe, err := d.executable(m, target{ids: []int{d.id}})
			if err != nil {
				t.Fatal(err)
			}
			if exe.fromFolder != (k == 1) {
				t.Errorf("size %d, time %d: loaded from the disk: %t", n+1, k, exe.fromFolder)
			}
			d.executables = codecache.Shared[executable]{} // empty, as in a new process
		}
	}
}
