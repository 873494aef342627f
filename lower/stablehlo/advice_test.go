package stablehlo_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weft-go/weft/lower/stablehlo"
)

// Errors of modules end with advice.
func TestErrorsNameTheFix(t *testing.T) {
	const head = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  "
	for text, want := range map[string]string{
		"func.func @main() {\n":                       "a region is not closed; write } at its end",
		head + "return %y : tensor<2xf32>}":           "the value %y is not defined here; define it in a line before, within the function",
		"!t = f32":                                    "aliases of types are not supported; write the types in their places",
		"func.func @main(%x: tensor<*xf32>) {return}": "tensors of unknown rank are not supported; export with a known number of dimensions",
		"func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0>>) {return}":                                      "is not supported; export the model without quantization",
		"func.func @main(%x: tensor<2xi7>) {return}":                                                               "argument 0: the type tensor<2xi7> is not supported; export with an element type that weft has, such as f32, bf16 or i32",
		head + "%0 = stablehlo.nothing %x : tensor<2xf32>\n return %0 : tensor<2xf32>}":                            "there is no such operation, or it is not supported; correct its name, or decompose it into other operations before you export",
		head + "%0 = stablehlo.add %x : tensor<2xf32>\n return %0 : tensor<2xf32>}":                                "takes 2 operands, got 1; correct the module, which stablehlo-opt verifies",
		head + "%0 = \"stablehlo.transpose\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n return %0 : tensor<2xf32>}":  "the attribute permutation is missing; add it to the operation, or export the module again",
		head + "%0 = stablehlo.constant dense<[1.0]> : tensor<2xf32>\n return %0 : tensor<2xf32>}":                 "axis 0 has 2 elements, the list has another number; add or remove elements, or correct the type",
		head + "%0 = stablehlo.abs %x : (tensor<2xf32>) -> tensor<3xf32>\n return %x : tensor<2xf32>}":             "result 0: declared tensor<3xf32>, got tensor<2xf32>; correct the declared type",
		head + "%0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>\n return %0 : tensor<2xf32>}":                  "there is no function f; define it in the module, or correct the name",
		head + "%0 = call @main(%x) : (tensor<2xf32>) -> tensor<2xf32>\n return %0 : tensor<2xf32>}":               "the function main calls itself; write the recursion as stablehlo.while",
		head + "%0 = stablehlo.slice %x [0:2] : (tensor<2xf32>) -> tensor<2xf32>\n}":                               "a region or function ends without return; end it with stablehlo.return, a function with return",
		head + "%0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi1>\n return %x : tensor<2xf32>}":  "between f32 and bool is not supported; convert booleans with stablehlo.convert, take complex numbers apart with stablehlo.real and stablehlo.imag",
		head + "%0 = \"stablehlo.all_reduce\"(%x) : (tensor<2xf32>) -> tensor<2xf32>\n return %0 : tensor<2xf32>}": "is outside of sdy.manual_computation, and programs run on one device; export without sharding, or with a mesh",
	} {
		m, err := stablehlo.Read("m", text)
		if err == nil {
			f := m.Main()
			avals, e := m.Avals(f)
			if err = e; err == nil {
				_, err = m.Program(f, avals, options)
			}
		}
		assert.ErrorContains(t, err, want, text)
	}
}
