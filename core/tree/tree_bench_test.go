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

func BenchmarkFlattenLayers(b *testing.B) {
	type lin struct{ W, B leafT }
	type net struct {
		Name   string
		Layers []lin
		Wide   int
	}
	m := net{"n", []lin{{}, {}, {}}, 5}
	plan, _ := For[leafT](reflect.TypeFor[net]())
	f := &Flat[leafT]{}
	b.ReportAllocs()
	for b.Loop() {
		f.Reset()
		plan.Flatten(f, unsafe.Pointer(&m))
	}
}

func BenchmarkRebuildLayers(b *testing.B) {
	type lin struct{ W, B leafT }
	type net struct {
		Name   string
		Layers []lin
		Wide   int
	}
	m := net{"n", []lin{{}, {}, {}}, 5}
	plan, _ := For[leafT](reflect.TypeFor[net]())
	f := &Flat[leafT]{}
	plan.Flatten(f, unsafe.Pointer(&m))
	def := plan.Def(unsafe.Pointer(&m))
	var out net
	b.ReportAllocs()
	for b.Loop() {
		def.Rebuild(unsafe.Pointer(&out), f.Leaves)
	}
}
