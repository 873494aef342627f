package stablehlo_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weft-go/weft/lower/stablehlo"
)

func TestTooManyBits(t *testing.T) {
	_, err := stablehlo.Parse("m", `func.func @main(%x: tensor<bf16>) -> tensor<bf16> {
  %0 = "chlo.constant_like"(%x) {value = 0x17F80 : bf16} : (tensor<bf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}`)
	assert.ErrorContains(t, err, "0x17F80 has more than the 16 bits of bf16")
}
