package promote

import (
	"fmt"
	"strings"
)

// Systems lists the systems by which arrays can promote, today's libraries first.
func Systems() []System {
	return []System{
		JAX, JAX32, JAXStrict, JAXLax,
		NumPy2, NumPy1, PyTorch, TensorFlow, TensorFlowAll, TensorFlowSafe,
		MAX, MAXDocumented, Anvil, Python,
		JAXDesign, JAXDesign32, JAXDesignStrict, PyTorchDesign,
		Option0, Option1, Option1Completed, Option2, Option2U64, Option3, Option3BF16, Option3U64,
	}
}

// Graphs lists the other systems of this package: intermediate designs, parts of systems, and
// counterexamples.
func Graphs() []System {
	return []System{
		PythonStar, NonlatticeLeft, NonlatticeRight, WithinCategory, NumPySigned, WithinCategoryStar,
		PartialMerged, PartialFloatComplex, Naive, JAXDesignWithoutBool, AnvilKnown,
	}
}

var otherNames = map[string]string{
	"numpy2":                    "numpy",
	"lax":                       "jax-lax",
	"jax64":                     "jax",
	"torch":                     "pytorch",
	"tf":                        "tensorflow",
	"numpy-signed-scalar-array": "numpy-signed",
	"partial-signed-unsigned":   "option0",
	"naive-int-float":           "naive",
	"jax-final":                 "jax-design",
	"jax-final-nobool":          "jax-design-nobool",
	"jax-numpy":                 "jax-design",
	"extra-jax-x32":             "jax-design32",
	"extra-jax-strict":          "jax-design-strict",
	"max-implied":               "max",
	"anvil-known-implied":       "anvil-known",
}

// Find returns the system or graph of a name. Case does not matter, and an underscore counts as a
// hyphen.
func Find(name string) (System, error) {
	n := strings.ReplaceAll(strings.ToLower(name), "_", "-")
	if o, ok := otherNames[n]; ok {
		n = o
	}
	var all []string
	for _, s := range append(Systems(), Graphs()...) {
		if s.Name() == n {
			return s, nil
		}
		all = append(all, s.Name())
	}
	return nil, fmt.Errorf("no promotion system is called %q; there are %s", name, strings.Join(all, ", "))
}

// About describes in one line what a system is, "" if it has no description.
func About(s System) string {
	if d, ok := s.(interface{ About() string }); ok {
		return d.About()
	}
	return ""
}

// GraphOf returns the graph from which a system's joins are computed, nil if they come from
// elsewhere.
func GraphOf(s System) *Graph {
	if d, ok := s.(interface{ Graph() *Graph }); ok {
		return d.Graph()
	}
	return nil
}
