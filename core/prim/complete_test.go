package prim_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/vocabulary"
)

// Every primitive that this package and those under it declare has a sample: one without a sample is
// not tested against any law.
func TestEveryPrimitiveHasASample(t *testing.T) {
	sampled := map[string]bool{}
	for _, s := range primtest.All() {
		p := reflect.TypeOf(s.Prim)
		if p.Kind() == reflect.Pointer {
			p = p.Elem()
		}
		sampled[p.Name()] = true
	}
	declared, err := vocabulary.FindAll(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range declared {
		if !sampled[p.Type] {
			t.Errorf("%v: primitive %s has no sample; add one in internal/test/primtest", p.Pos, p.Type)
		}
	}
	if len(declared) < 100 {
		t.Errorf("got %d primitives, want at least 100", len(declared))
	}
}

// The files vocabulary.go are what go generate writes, and no two have a word in common.
func TestVocabulariesAreGenerated(t *testing.T) {
	files, err := filepath.Glob("*/vocabulary.go")
	if err != nil {
		t.Fatal(err)
	}
	words, lists := 0, 0
	for _, file := range append(files, "vocabulary.go") {
		dir := filepath.Dir(file)
		pkg := dir
		if dir == "." {
			pkg = "prim"
		}
		want, err := vocabulary.Generate(dir, pkg)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("core/prim/%s is not up to date; run go generate ./core/prim/...", filepath.ToSlash(file))
		}
		words += bytes.Count(want, []byte("\":"))
		lists++
	}
	if n := len(primtest.Words()); n != words || lists != 6 {
		t.Errorf("primtest.Words has %d words, want the %d of %d packages, which must be 6", n, words, lists)
	}
}
