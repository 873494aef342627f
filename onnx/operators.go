package onnx

import (
	"maps"

	"github.com/weft-go/weft"
)

type operator func(n *node) []weft.Array

type opKey struct{ domain, op string }

var operators = map[opKey]operator{}

const microsoft = "com.microsoft"

func init() {
	for _, table := range []map[string]operator{unaries, binaries, shapes, indexing, reductions, products, convolutions, pools, norms, recurrent, controls, quantized, losses, signals, images, attentions, randoms} {
		for name, op := range table {
			operators[opKey{"", name}] = op
		}
	}
	for _, table := range []map[string]operator{contributed, contributedIntegers} {
		for name, op := range table {
			operators[opKey{microsoft, name}] = op
		}
	}
	operators[opKey{"", "SimplifiedLayerNormalization"}] = simplifiedNorm // ONNX Runtime's optimizer writes it so
	maps.DeleteFunc(operators, func(_ opKey, op operator) bool { return op == nil })
}

func unary(f func(weft.Array) weft.Array) operator {
	return func(n *node) []weft.Array { return one(f(n.x(0))) }
}
