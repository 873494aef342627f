package tree

import (
	"reflect"
	"testing"
	"unsafe"
)

func BenchmarkFlattenFixed(b *testing.B) {
	type mlp struct{ W1, B1, W2, B2 leafT }
	m := mlp{num(1), num(2), num(3), num(4)}
	plan, _ := For[leafT](reflect.TypeFor[mlp]())
	def := plan.Def(unsafe.Pointer(&m))
	f := &Flat[leafT]{}
	var out mlp
	b.ReportAllocs()
	for b.Loop() {
		f.Reset()
		plan.Flatten(f, unsafe.Pointer(&m))
		def.Rebuild(unsafe.Pointer(&out), f.Leaves)
	}
}

// net is a tree with a list of layers.
type net struct {
	Name   string
	Layers []struct{ W, B leafT }
	Wide   int
}

// layers returns a net of three layers, its plan, and where to flatten it.
func layers() (net, *Plan[leafT], *Flat[leafT]) {
	plan, _ := For[leafT](reflect.TypeFor[net]())
	return net{"n", make([]struct{ W, B leafT }, 3), 5}, plan, &Flat[leafT]{}
}

func BenchmarkFlattenLayers(b *testing.B) {
	m, plan, f := layers()
	b.ReportAllocs()
	for b.Loop() {
		f.Reset()
		plan.Flatten(f, unsafe.Pointer(&m))
	}
}

func BenchmarkRebuildLayers(b *testing.B) {
	m, plan, f := layers()
	plan.Flatten(f, unsafe.Pointer(&m))
	def := plan.Def(unsafe.Pointer(&m))
	var out net
	b.ReportAllocs()
	for b.Loop() {
		def.Rebuild(unsafe.Pointer(&out), f.Leaves)
	}
}
