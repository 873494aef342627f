func.func @shift() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %b = stablehlo.constant dense<[9, 1]> : tensor<2xi8>
  %0 = stablehlo.shift_left %a, %b : tensor<2xi8>
  check.expect_eq_const %0, dense<[0, 4]> : tensor<2xi8>
  return
}

// -----

func.func @wrong() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.negate %a : tensor<2xf32>
  check.expect_almost_eq_const %0, dense<[-1.0, 2.0]> : tensor<2xf32>
  return
}
