package stablehlo

import (
	"strings"

	"github.com/weft-go/weft/core"
)

// StableHLO has no keys of random numbers: a module takes and returns their words, u32[…,2]. JAX
// marks keys nevertheless, since it states the sharding of their words, over a mesh without axes:
// on an argument before anything reads it, and on a result before it is returned.

// isKeyMark reports whether an operation states that its operand is a key. In bytecode the mesh
// has an encoding that is not read, so any sharding of such words counts there.
func isKeyMark(o *op) bool {
	if o.name != "sdy.sharding_constraint" || len(o.in) != 1 || len(o.types) != 1 || !isKeyWords(o.types[0]) {
		return false
	}
	mesh, _ := o.attr("value")
	text, ok := mesh.(opaqueAttr)
	return !ok || strings.HasPrefix(strings.TrimLeft(string(text), "<"), "@empty_mesh,")
}

func isKeyWords(t Type) bool {
	return t.typ != nil && t.kind == kindTensor && t.elem == core.Uint32 && len(t.dims) > 0 && t.dims[len(t.dims)-1] == 2
}

type keys struct{ args, results []bool }

// keys returns which arguments and results JAX marked.
func (f *Func) keys() keys {
	k := keys{make([]bool, len(f.Args)), make([]bool, len(f.Results))}
	if f.body == nil {
		return k
	}
	from := map[int]*op{} // the casts and marks by their result
	source := func(id int) int {
		for from[id] != nil && from[id].name == castOpName {
			id = from[id].in[0]
		}
		return id
	}
	marked := map[int]bool{}
	for _, o := range f.body.ops {
		switch {
		case o.name == castOpName && len(o.in) == 1, isKeyMark(o):
			from[o.result] = o
			if o.name != castOpName {
				marked[source(o.in[0])] = true
			}
		case (o.name == "func.return" || o.name == "stablehlo.return") && len(o.in) == len(k.results):
			for i, id := range o.in {
				m := from[source(id)]
				k.results[i] = m != nil && isKeyMark(m)
			}
		}
	}
	for i, a := range f.body.args {
		if i < len(k.args) {
			k.args[i] = marked[a.id] && isKeyWords(a.typ)
		}
	}
	return k
}
