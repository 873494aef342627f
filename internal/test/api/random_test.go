package api

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// draws states where the names of jax.random are: the name there; what is here, several
// where several are; a remark, which states why where there is none.
var draws = []struct{ theirs, ours, remark string }{
	{"PRNGKey", "New Key.Words", "keys have one kind; the words are what old-style keys are"},
	{"ball", "Ball", ""},
	{"bernoulli", "Bernoulli", ""},
	{"beta", "Beta", ""},
	{"binomial", "Binomial", ""},
	{"bits", "Bits", ""},
	{"categorical", "Categorical CategoricalAlong CategoricalUnique", ""},
	{"cauchy", "Cauchy", ""},
	{"chisquare", "ChiSquare", ""},
	{"choice", "Choice ChoiceFrom", ""},
	{"clone", "Key.Clone", ""},
	{"dirichlet", "Dirichlet", ""},
	{"double_sided_maxwell", "DoubleMaxwell", ""},
	{"exponential", "Exponential", ""},
	{"f", "F", ""},
	{"fold_in", "Key.FoldIn", ""},
	{"gamma", "Gamma", ""},
	{"generalized_normal", "GeneralizedNormal", ""},
	{"geometric", "Geometric", ""},
	{"gumbel", "Gumbel", "JAX's usual mode; `high` is not there"},
	{"key", "New FromSeed", ""},
	{"key_data", "Key.Words", ""},
	{"key_dtype", "", "keys have one kind, a Go type"},
	{"key_impl", "", "keys have one kind: Threefry"},
	{"laplace", "Laplace", ""},
	{"loggamma", "LogGamma", ""},
	{"logistic", "Logistic", ""},
	{"lognormal", "LogNormal", ""},
	{"maxwell", "Maxwell", ""},
	{"multinomial", "Multinomial", "the sizes do not hold the outcomes' axis"},
	{"multivariate_normal", "MultivariateNormal", "by Cholesky's root of the covariance"},
	{"normal", "Normal", ""},
	{"orthogonal", "Orthogonal SemiOrthogonal", "`SemiOrthogonal` where rows and columns differ"},
	{"pareto", "Pareto", ""},
	{"permutation", "Permutation PermutationAlong", ""},
	{"poisson", "Poisson", ""},
	{"rademacher", "Rademacher", ""},
	{"randint", "RandInt", ""},
	{"random_gamma_p", "", "a primitive; gamma is made of others here"},
	{"rayleigh", "Rayleigh", ""},
	{"split", "Key.Split Key.SplitN", ""},
	{"t", "StudentT", ""},
	{"triangular", "Triangular", ""},
	{"truncated_normal", "TruncatedNormal", ""},
	{"uniform", "Uniform UniformIn", ""},
	{"wald", "Wald", ""},
	{"weibull_min", "Weibull", ""},
	{"wrap_key_data", "Wrap", ""},
}

// TestRandom compares the table of docs/random.md to what JAX and the package have.
func TestRandom(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("testdata", "jax_random.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs []string
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") {
			theirs = append(theirs, line)
		}
	}
	exported, err := Names(filepath.Join("..", "..", "..", "random"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	var rows strings.Builder
	for _, f := range draws {
		listed = append(listed, f.theirs)
		var here []string
		for o := range strings.FieldsSeq(f.ours) {
			if !exported[o] {
				t.Errorf("%s: there is no random.%s", f.theirs, o)
			}
			if _, method, ok := strings.Cut(o, "."); ok {
				o = "k." + method
			} else {
				o = "random." + o
			}
			here = append(here, "`"+o+"`")
		}
		if len(here) == 0 {
			if f.remark == "" {
				t.Errorf("%s: there is none, and no reason", f.theirs)
			}
			here = append(here, "—")
		}
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", f.theirs, strings.Join(here, ", "), f.remark)
	}
	if !slices.Equal(listed, theirs) {
		t.Errorf("the table has %v, JAX has %v", listed, theirs)
	}
	page := filepath.Join("..", "..", "..", "docs", "random.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const head = "## jax.random, name by name\n"
	before, _, ok := strings.Cut(string(text), head)
	if !ok {
		t.Fatalf("%s has no heading %q", page, head)
	}
	golden(t, page, []byte(before+head+`
All names of jax.random in JAX 0.10.2. This table is written by a test (`+"`go test ./internal/test/api -run Random -update`"+`), which fails when a name here or
there is missing. JAX's argument `+"`dtype`"+` is `+"`random.As`"+` here.

| jax.random | here | |
|---|---|---|
`+rows.String()))
}
