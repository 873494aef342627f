package lax_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/vocabulary"
)

// unlaxed are the primitives without a function in lax, with the reason.
var unlaxed = map[string]string{
	"Accurate":           "texts of JAX have it; there is one accuracy here",
	"AddAny":             "derivatives add cotangents by it; Add does so for people",
	"ApproxTopK":         "texts of JAX have it; TopK is exact and as fast",
	"BitcastConvertType": "BitcastConvertType applies it by prim.Bitcast, which leaves it out between equal types",
	"Copy":               "results of a program that are its operands are copies",
	"DebugCallback":      "weft.DebugCallback",
	"DebugPrint":         "weft.DebugPrint",
	"DevicePut":          "texts of JAX have it; weft.Array.To moves arrays",
	"IOCallback":         "weft.IOCallback",
	"IotaWords":          "texts of JAX's random bits have it; package random draws bits",
	"MulTo":              "texts of JAX have it: Mul of converted operands",
	"Name":               "weft.CheckpointName",
	"Philox2x32":         "texts of JAX have it; package random draws bits",
	"Philox4x32":         "texts of JAX have it; package random draws bits",
	"PlatformIndex":      "texts of JAX have it: the index of the CPU's branch",
	"PsumInvariant":      "Psum applies it within mesh.ShardMap",
	"PureCallback":       "weft.PureCallback",
	"RNGBitGenerator":    "texts of JAX have it; package random draws bits",
	"RaggedDot":          "texts of JAX have it",
	"ReshapePermuted":    "texts of JAX have it: a transposition and a reshape",
	"Reshard":            "texts of JAX have it; an array has one device here",
	"ScatterWith":        "programs of StableHLO have it",
	"SelectAndScatter":   "programs of StableHLO have it",
	"SortBy":             "programs of StableHLO have it",
	"Threefry4x32":       "texts of JAX have it; package random draws bits",
}

// Every primitive can be applied by a function of lax.
func TestEveryPrimitiveHasAFunction(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\b(?:prim|hostcall|indexed|matrices|rng|windows)\.(\w+)`).FindAllSubmatch(text, -1) {
			used[strings.TrimSuffix(string(m[1]), "P")] = true
		}
	}
	declared, err := vocabulary.FindAll("../core/prim")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range declared {
		name := strings.TrimSuffix(p.Type, "P")
		reason := unlaxed[name]
		if used[name] && reason != "" {
			t.Errorf("lax uses %s, which has a reason not to be there: %s", p.Type, reason)
		}
		if !used[name] && reason == "" {
			t.Errorf("%v: primitive %s has no function in lax; add one, or a reason in unlaxed", p.Pos, p.Type)
		}
	}
}
