package stablehlo

import (
	"fmt"
	"testing"
)

// Arguments that JAX marks are keys, also if casts come before the mark, and whatever meshes are declared. An argument
// without the type of a key's words is never a key.
func TestKeyMarks(t *testing.T) {
	const head = `sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
sdy.mesh @mesh = <["x"=1]>
func.func @main(%a: tensor<2xui32>, %b: tensor<5x2xui32>) -> (tensor<2xui32>, tensor<5x2xui32>) {
`
	for _, c := range []struct{ body, args, results string }{
		{"return %a, %b : tensor<2xui32>, tensor<5x2xui32>", "[u32[2] u32[5,2]]", "[false false]"},
		{"%0 = sdy.sharding_constraint %a <@empty_mesh, [{}]> : tensor<2xui32>\nreturn %a, %b : tensor<2xui32>, tensor<5x2xui32>", "[key<fry>[] u32[5,2]]", "[false false]"},
		{"%0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<2xui32>\nreturn %0, %b : tensor<2xui32>, tensor<5x2xui32>", "[u32[2] u32[5,2]]", "[false false]"},
		{"%0 = builtin.unrealized_conversion_cast %b : tensor<5x2xui32> to tensor<5x2xui32>\n%1 = sdy.sharding_constraint %0 <@empty_mesh, [{?}, {}]> : tensor<5x2xui32>\n" +
			"%2 = builtin.unrealized_conversion_cast %1 : tensor<5x2xui32> to tensor<5x2xui32>\nreturn %a, %2 : tensor<2xui32>, tensor<5x2xui32>", "[u32[2] key<fry>[5]]", "[false true]"},
	} {
		m, err := Parse("m", head+c.body+"\n}")
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		avals, err := m.Avals(m.Main())
		if got := fmt.Sprint(avals); err != nil || got != c.args {
			t.Errorf("%s: arguments %s, %v; want %s", c.body, got, err, c.args)
		}
		if got := fmt.Sprint(m.Main().keys().results); got != c.results {
			t.Errorf("%s: results %s, want %s", c.body, got, c.results)
		}
	}
}
