package prim_test

import (
	"os"
	"reflect"
	"testing"

	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/vocabulary"
)

// Every primitive that this package declares has a sample: one without a sample is not
// tested against any law.
func TestEveryPrimitiveHasASample(t *testing.T) {
	sampled := map[string]bool{}
	for _, s := range primtest.All() {
		p := reflect.TypeOf(s.Prim)
		if p.Kind() == reflect.Pointer {
			p = p.Elem()
		}
		sampled[p.Name()] = true
	}
	declared, err := vocabulary.Find(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range declared {
		if !sampled[p.Type] {
			t.Errorf("core/prim/%v: primitive %s has no sample; add one in internal/test/primtest", p.Pos, p.Type)
		}
	}
	if len(declared) < 100 {
		t.Errorf("got %d primitives, want at least 100", len(declared))
	}
}

// vocabulary.go is what go generate writes.
func TestVocabularyIsGenerated(t *testing.T) {
	want, err := vocabulary.Generate(".")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("vocabulary.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("core/prim/vocabulary.go is not up to date; run go generate ./core/prim")
	}
}
