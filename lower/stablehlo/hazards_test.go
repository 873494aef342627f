package stablehlo_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/runtime"
)

// hazards are corners that no program of StableHLO's test data reaches, each with the
// result that XLA returns.
var hazards = map[string]string{
	"integer division by zero": `
  %x = stablehlo.constant dense<[7, -7, 0, -2147483648]> : tensor<4xi32>
  %y = stablehlo.constant dense<[0, 0, 0, -1]> : tensor<4xi32>
  %0 = stablehlo.divide %x, %y : tensor<4xi32>
  check.expect_eq_const %0, dense<[-1, -1, -1, -2147483648]> : tensor<4xi32>
  %1 = stablehlo.remainder %x, %y : tensor<4xi32>
  check.expect_eq_const %1, dense<[7, -7, 0, 0]> : tensor<4xi32>`,
	"unsigned division by zero": `
  %x = stablehlo.constant dense<[7, 0]> : tensor<2xui8>
  %y = stablehlo.constant dense<0> : tensor<2xui8>
  %0 = stablehlo.divide %x, %y : tensor<2xui8>
  check.expect_eq_const %0, dense<255> : tensor<2xui8>
  %1 = stablehlo.remainder %x, %y : tensor<2xui8>
  check.expect_eq_const %1, dense<[7, 0]> : tensor<2xui8>`,
	"float to integer saturates": `
  %x = stablehlo.constant dense<[3.0e9, -3.0e9, 0x7FC00000, 0x7F800000, 0xFF800000, -1.9]> : tensor<6xf32>
  %0 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xi32>
  check.expect_eq_const %0, dense<[2147483647, -2147483648, 0, 2147483647, -2147483648, -1]> : tensor<6xi32>
  %1 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xui8>
  check.expect_eq_const %1, dense<[255, 0, 0, 255, 0, 0]> : tensor<6xui8>
  %2 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xi64>
  check.expect_eq_const %2, dense<[3000000000, -3000000000, 0, 9223372036854775807, -9223372036854775808, -1]> : tensor<6xi64>`,
	"f64 to bf16 rounds once": `
  %x = stablehlo.constant dense<[0x3FF0100000000001, 0x3FF0100000000000, 0x3FF00FFFFFFFFFFF]> : tensor<3xf64>
  %0 = stablehlo.convert %x : (tensor<3xf64>) -> tensor<3xbf16>
  check.expect_eq_const %0, dense<[0x3F81, 0x3F80, 0x3F80]> : tensor<3xbf16>`,
	"to boolean is unequal to zero": `
  %x = stablehlo.constant dense<[2, 256, 0, -4]> : tensor<4xi32>
  %0 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi1>
  check.expect_eq_const %0, dense<[true, true, false, true]> : tensor<4xi1>
  %y = stablehlo.constant dense<[0.25, -0.0, 0x7FC00000]> : tensor<3xf32>
  %1 = stablehlo.convert %y : (tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[true, false, true]> : tensor<3xi1>`,
	"scatter drops negative indices": `
  %x = stablehlo.constant dense<0.0> : tensor<3xf32>
  %i = stablehlo.constant dense<[[-1], [1], [3]]> : tensor<3x1xi32>
  %u = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %0, dense<[0.0, 2.0, 0.0]> : tensor<3xf32>`,
	"scatter drops windows whole": `
  %x = stablehlo.constant dense<0> : tensor<4xi32>
  %i = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[0, 3, 4, 0]> : tensor<4xi32>`,
	"scatter with the index vector first": `
  %x = stablehlo.constant dense<0> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[0, 1], [2, 0]]> : tensor<2x2xi32>
  %u = stablehlo.constant dense<[5, 7]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %0, dense<[[0, 0, 5], [7, 0, 0]]> : tensor<2x3xi32>`,
	"scatter of several arrays": `
  %x = stablehlo.constant dense<0> : tensor<2xi32>
  %y = stablehlo.constant dense<1.0> : tensor<2xf32>
  %i = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %u = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %v = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %p = stablehlo.compare GT, %c, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = stablehlo.select %p, %c, %a : tensor<i1>, tensor<i32>
    %t = stablehlo.select %p, %d, %b : tensor<i1>, tensor<f32>
    stablehlo.return %s, %t : tensor<i32>, tensor<f32>
  }) : (tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %0#0, dense<[0, 3]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[1.0, 5.0]> : tensor<2xf32>`,
	"the greatest float, by a body that compares numbers": `
  %x = stablehlo.constant dense<[0x7FC00000, 1.0, 2.0]> : tensor<3xf32>
  %i = stablehlo.iota dim = 0 : tensor<3xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %j: tensor<i32>, %b: tensor<f32>, %k: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    %6 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.select %5, %j, %k : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }) : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const %0#1, dense<2> : tensor<i32>`,
	"an unsigned counter beyond the signed numbers": `
  %start = stablehlo.constant dense<9223372036854775806> : tensor<ui64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %start, %n = %zero) : tensor<ui64>, tensor<i32>
  cond {
    %last = stablehlo.constant dense<9223372036854775810> : tensor<ui64>
    %1 = stablehlo.compare LT, %i, %last : (tensor<ui64>, tensor<ui64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<ui64>
    %1 = stablehlo.add %i, %one : tensor<ui64>
    %two = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %n, %two : tensor<i32>
    stablehlo.return %1, %2 : tensor<ui64>, tensor<i32>
  }
  check.expect_eq_const %0#1, dense<4> : tensor<i32>`,
	"gather with the index vector first": `
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[0, 1], [2, 9]]> : tensor<2x2xi32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[3, 6]> : tensor<2xi32>`,
	"random bits by threefry, 32 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
  check.expect_eq_const %n, dense<[184683593770, 193273528367]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[895793314, 1024048555, 871851297, 2754296663, 1755780157, 3859419281]> : tensor<6xui32>`,
	"random bits by threefry, odd axes": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %n, dense<[184683593770, 193273528373]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[[895793314, 1024048555, 871851297, 2754296663, 1755780157], [2468015885, 2760732127, 573824108, 2793243958, 2666401276], [1687561322, 4045694677, 2215331149, 2641754150, 418499114]]> : tensor<3x5xui32>`,
	"random bits by threefry, 64 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %n, dense<[184683593770, 193273528367]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[4398255054136850594, 11829614091938784545, 16576079595202614333]> : tensor<3xui64>`,
	"random bits by threefry, 16 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
  check.expect_eq_const %n, dense<[184683593770, 193273528367]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[47266, 48555, 25889, 15191, 5181]> : tensor<5xui16>`,
	"random bits by threefry, 8 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
  check.expect_eq_const %n, dense<[184683593770, 193273528367]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[162, 171, 33, 87, 61]> : tensor<5xui8>`,
	"random bits by threefry, a scalar": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  check.expect_eq_const %n, dense<[184683593770, 193273528365]> : tensor<2xui64>
  check.expect_eq_const %b, dense<895793314> : tensor<ui32>`,
	"random bits by Philox, 32 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  check.expect_eq_const %n, dense<[184683593770, 193273528368]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[[2427392780, 1458059130, 393278117, 4094008499, 175456777], [359380119, 1144896788, 3208781266, 2026462389, 1054797103], [1870856389, 4147901280, 2088739250, 1991102522, 498393861]]> : tensor<3x5xui32>`,
	"random bits by Philox, 64 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %n, dense<[184683593770, 193273528366]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[6262316281411605260, 17583632613144326821, 1543525858113045001]> : tensor<3xui64>`,
	"random bits by Philox, 16 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui16>)
  check.expect_eq_const %n, dense<[184683593770, 193273528366]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[4876, 14202, 62117, 40115, 16905]> : tensor<5xui16>`,
	"random bits by the default, 8 bits": `
  %s = stablehlo.constant dense<[184683593770, 193273528364]> : tensor<2xui64>
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui8>)
  check.expect_eq_const %n, dense<[184683593770, 193273528366]> : tensor<2xui64>
  check.expect_eq_const %b, dense<[12, 122, 165, 179, 9]> : tensor<5xui8>`,
	"sort is stable": `
  %k = stablehlo.constant dense<[2, 1, 2, 1, 2]> : tensor<5xi32>
  %v = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %0:2 = "stablehlo.sort"(%k, %v) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  check.expect_eq_const %0#1, dense<[0, 2, 4, 1, 3]> : tensor<5xi32>`,
	"sort with a comparator that is no order": `
  %k = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %0 = "stablehlo.sort"(%k) <{dimension = -1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[3, 1, 2]> : tensor<3xi32>`,
	"sort by a comparator of its own": `
  %k = stablehlo.constant dense<[-3.0, 1.0, 2.0, -1.0]> : tensor<4xf32>
  %0 = "stablehlo.sort"(%k) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.abs %a : tensor<f32>
    %d = stablehlo.abs %b : tensor<f32>
    %p = stablehlo.compare LT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<[1.0, -1.0, 2.0, -3.0]> : tensor<4xf32>`,
	"reductions with state keep their order": `
  %x = stablehlo.constant dense<[3.0, 5.0, 5.0, 1.0, 5.0]> : tensor<5xf32>
  %i = stablehlo.iota dim = 0 : tensor<5xi32>
  %lo = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %lo), (%i init: %z) across dimensions = [0] : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %p, %a, %b : tensor<i1>, tensor<f32>
    %t = stablehlo.select %p, %c, %d : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %0#1, dense<1> : tensor<i32>`,
	"initial values count": `
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = stablehlo.constant dense<10.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %0, dense<13.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %1, dense<10.0> : tensor<f32>`,
	"short contractions of real and complex numbers round products": `
  %x = stablehlo.constant dense<"0x0000013E00000000000007BE000000000000243F000000000000D73D00000000000009BF000000000000B93E00000000"> : tensor<2x3xcomplex<f32>>
  %y = stablehlo.constant dense<"0x4ECD14C03DC1D23EEC0A60BE1471853F037A9FBF979E03BEE0753BBF46E8AE3F8F540BBF334A2ABF18F2A1BE21F9B33E"> : tensor<3x2xcomplex<f32>>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %0, dense<"0xE861F4BE25F5B6BE66DC08BE2E9A343E4D71673E4C6F03BE9D5D823EB658FDBE"> : tensor<2x2xcomplex<f32>>
  %d = stablehlo.dot %x, %y : (tensor<2x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_eq_const %d, dense<"0xE861F4BE25F5B6BE66DC08BE2E9A343E4D71673E4C6F03BE9D5D823EB658FDBE"> : tensor<2x2xcomplex<f32>>
  %p = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  %q = stablehlo.reshape %p : (tensor<3x2xcomplex<f32>>) -> tensor<3x1x2xcomplex<f32>>
  %1 = stablehlo.dot_general %q, %y, contracting_dims = [0] x [0] : (tensor<3x1x2xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<1x2x2xcomplex<f32>>
  check.expect_eq_const %1, dense<"0xE861F4BE25F5B6BE66DC08BE2E9A343E4D71673E4C6F03BE9D5D823EB658FDBE"> : tensor<1x2x2xcomplex<f32>>`,
	"absolute value of the least integer": `
  %x = stablehlo.constant dense<[-128, -1]> : tensor<2xi8>
  %0 = stablehlo.abs %x : tensor<2xi8>
  check.expect_eq_const %0, dense<[-128, 1]> : tensor<2xi8>`,
	"logistic of bf16": `
  %x = stablehlo.constant dense<[-100.0, 0.0, 100.0, -1.0]> : tensor<4xbf16>
  %0 = stablehlo.logistic %x : tensor<4xbf16>
  check.expect_almost_eq_const %0, dense<[0.0, 0.5, 1.0, 0.269531]> : tensor<4xbf16>`,
	"complex modulus does not overflow": `
  %x = stablehlo.constant dense<[(3.0e30, 4.0e30), (3.0e-30, 4.0e-30)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_close %0, %1 {max_ulp_difference = 1 : i64} : tensor<2xf32>, tensor<2xf32>`,
	"complex division does not overflow": `
  %x = stablehlo.constant dense<[(1.0e+30, 1.0e+30), (1.0e-30, 2.0e-30), (1.0e+00, 2.0e+00), (3.0e+38, 3.0e+38)]> : tensor<4xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0e+30, 1.0e+30), (3.0e-30, -1.0e-30), (1.0e-25, 3.0e+00), (2.0e+00, 5.0e-01)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.divide %x, %y : tensor<4xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.0e+00, 0.0e+00), (1.0e-01, 7.0e-01), (6.666667e-01, -3.3333334e-01), (1.764706e+38, 1.0588235e+38)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>`,
	"complex square root does not overflow": `
  %x = stablehlo.constant dense<[(3.0e+38, 3.0e+38), (1.0e-38, 1.0e-38), (-4.0e+00, 1.0e-20), (-4.0e+00, -1.0e-20), (5.0e+00, -1.2e+01)]> : tensor<5xcomplex<f32>>
  %0 = stablehlo.sqrt %x : tensor<5xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.9029767e+19, 7.882388e+18), (1.098684e-19, 4.5508986e-20), (2.5e-21, 2.0e+00), (2.5e-21, -2.0e+00), (3.0e+00, -2.0e+00)]> : tensor<5xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>`,
	"complex reciprocal square root": `
  %x = stablehlo.constant dense<[(1.0e-37, 1.0e-37), (3.0e+37, -3.0e+37), (-4.0e+00, 1.0e-20)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.rsqrt %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(2.4567323e+18, -1.0176119e+18), (1.418395e-19, 5.875185e-20), (6.25e-22, -5.0e-01)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"complex exponential near overflow": `
  %x = stablehlo.constant dense<[(8.89e+01, 8.0e-01), (-8.0e+01, 3.0e+00), (5.0e-01, 1.5707964e+00)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.exponential %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(2.8302845e+38, 2.9141701e+38), (-1.7867893e-35, 2.5470064e-36), (-7.20679e-08, 1.6487212e+00)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"complex exponential minus one near zero": `
  %x = stablehlo.constant dense<[(1.0e-10, 1.0e-10), (1.0e-04, -2.0e-04), (-3.0e+00, 1.0e+00)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.exponential_minus_one %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.0e-10, 1.0e-10), (9.9984994e-05, -2.0001999e-04), (-9.7309995e-01, 4.1894373e-02)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"complex logarithm": `
  %x = stablehlo.constant dense<[(1.0e+30, 1.0e+30), (6.0e-01, 8.0e-01), (-1.0e+00, 1.0e-10), (1.0e+00, 1.0e-08)]> : tensor<4xcomplex<f32>>
  %0 = stablehlo.log %x : tensor<4xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(6.9424126e+01, 7.853982e-01), (2.3841858e-08, 9.272952e-01), (5.0000002e-21, 3.1415927e+00), (5.0e-17, 1.0e-08)]> : tensor<4xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>`,
	"complex logarithm plus one near zero": `
  %x = stablehlo.constant dense<[(1.0e-10, 1.0e-10), (-1.0e-05, 4.0e-03), (3.0e+00, 4.0e+00)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.log_plus_one %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.0e-10, 1.0e-10), (-1.999953e-06, 4.000019e-03), (1.732868e+00, 7.853982e-01)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"complex sine near overflow": `
  %x = stablehlo.constant dense<[(1.0e+00, 8.9e+01), (5.0e-01, -2.5e-01), (3.0e+00, 1.0e-10)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.sine %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.8889395e+38, 1.2128741e+38), (4.944858e-01, -2.2168817e-01), (1.4112e-01, -9.899925e-11)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"complex cosine near overflow": `
  %x = stablehlo.constant dense<[(1.0e+00, 8.9e+01), (5.0e-01, -2.5e-01), (1.0e-05, 1.0e-05)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.cosine %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.2128741e+38, -1.8889395e+38), (9.051502e-01, 1.2110879e-01), (1.0e+00, -9.9999994e-11)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"complex hyperbolic tangent": `
  %x = stablehlo.constant dense<[(5.0e+01, 1.0e+00), (2.5e-01, 1.25e+00), (1.0e-08, 1.0e-08)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.tanh %x : tensor<3xcomplex<f32>>
  %want0 = stablehlo.constant dense<[(1.0e+00, 6.7e-44), (1.5960903e+00, 1.8330919e+00), (1.0e-08, 1.0e-08)]> : tensor<3xcomplex<f32>>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>`,
	"sums along long axes": `
  %x = stablehlo.constant dense<0.1> : tensor<100000xf32>
  %y = stablehlo.constant dense<1.0> : tensor<100000xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<100000xf32>, tensor<f32>) -> tensor<f32>
  %want0 = stablehlo.constant dense<1.0e4> : tensor<f32>
  check.expect_close %0, %want0, max_ulp_difference = 4 : tensor<f32>, tensor<f32>
  %1 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<100000xf32>, tensor<100000xf32>) -> tensor<f32>
  %want1 = stablehlo.constant dense<1.0e4> : tensor<f32>
  check.expect_close %1, %want1, max_ulp_difference = 100 : tensor<f32>, tensor<f32>`,
	"bodies capture values": `
  %x = stablehlo.constant dense<[3.0, 1.0, 2.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %k = stablehlo.constant dense<4.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %p = stablehlo.add %a, %b : tensor<f32>
    %s = stablehlo.minimum %p, %k : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  check.expect_eq_const %0, dense<4.0> : tensor<f32>`,
	"case out of range takes the last branch": `
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.case"(%i) ({
    %a = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %a : tensor<i32>
  }, {
    %a = stablehlo.constant dense<2> : tensor<i32>
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<2> : tensor<i32>`,
	"maps of loops and of operations": `
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.constant dense<1.0> : tensor<f32>
    %d = stablehlo.multiply %a, %b : tensor<f32>
    %e = stablehlo.add %d, %c : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[2.0, 5.0], [10.0, 17.0]]> : tensor<2x2xf32>`,
	"a while loop captures": `
  %n = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %m = stablehlo.reduce(%n init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %0 = stablehlo.while(%i = %z) : tensor<i32>
   cond {
    %p = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %j = stablehlo.add %i, %two : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  check.expect_eq_const %0, dense<8> : tensor<i32>`,
	"select_and_scatter with bodies of its own": `
  %x = stablehlo.constant dense<[1, 5, 5, 2]> : tensor<4xi32>
  %s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %i = stablehlo.constant dense<3> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[3, 3, 600, 3]> : tensor<4xi32>`,
	"integer powers with negative exponents": `
  %x = stablehlo.constant dense<[2, 1, -1, -1, 3, 0]> : tensor<6xi32>
  %y = stablehlo.constant dense<[-1, -5, -3, -2, 4, 0]> : tensor<6xi32>
  %0 = stablehlo.power %x, %y : tensor<6xi32>
  check.expect_eq_const %0, dense<[0, 1, -1, 1, 81, 1]> : tensor<6xi32>`,
	"attributes that are the bits of floats": `
  %x = stablehlo.constant dense<0.0> : tensor<2xbf16>
  %0 = "chlo.constant_like"(%x) {value = 0x7F80 : bf16} : (tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %0, dense<0x7F80> : tensor<2xbf16>
  %y = stablehlo.constant dense<0.0> : tensor<2xf16>
  %1 = "chlo.constant_like"(%y) {value = 0xFC00 : f16} : (tensor<2xf16>) -> tensor<2xf16>
  check.expect_eq_const %1, dense<0xFC00> : tensor<2xf16>
  %2 = "chlo.constant_like"(%y) {value = 0x38 : f8E4M3FN} : (tensor<2xf16>) -> tensor<2xf16>
  check.expect_eq_const %2, dense<1.0> : tensor<2xf16>
  %u = stablehlo.constant dense<0.0> : tensor<2xf32>
  %3 = "chlo.constant_like"(%u) {value = 0xC0200000 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %3, dense<-2.5> : tensor<2xf32>`,
	"dot with batch and two contracted axes": `
  %x = stablehlo.iota dim = 2 : tensor<2x2x3xf32>
  %y = stablehlo.constant dense<1.0> : tensor<2x3x2xf32>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [1, 2] x [0, 1] : (tensor<2x2x3xf32>, tensor<2x3x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<6.0> : tensor<2xf32>`,
	"total order of floats without a sign, and of those without -0": `
  %x = stablehlo.constant dense<[4.0, 0.5]> : tensor<2xf8E8M0FNU>
  %y = stablehlo.constant dense<[0.5, 4.0]> : tensor<2xf8E8M0FNU>
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<2xf8E8M0FNU>, tensor<2xf8E8M0FNU>) -> tensor<2xi1>
  check.expect_eq_const %0, dense<[false, true]> : tensor<2xi1>
  %a = stablehlo.constant dense<[0x80, 0x01]> : tensor<2xf8E4M3FNUZ>
  %b = stablehlo.constant dense<[0x01, 0x80]> : tensor<2xf8E4M3FNUZ>
  %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<2xi1>
  check.expect_eq_const %1, dense<[false, true]> : tensor<2xi1>
  %c = stablehlo.constant dense<[-1.0, 2.0]> : tensor<2xf4E2M1FN>
  %d = stablehlo.constant dense<[0.5, -2.0]> : tensor<2xf4E2M1FN>
  %2 = stablehlo.compare LT, %c, %d, TOTALORDER : (tensor<2xf4E2M1FN>, tensor<2xf4E2M1FN>) -> tensor<2xi1>
  check.expect_eq_const %2, dense<[true, false]> : tensor<2xi1>`,
	"a hexadecimal boolean that stands for all": `
  %x = stablehlo.constant dense<"0xFF"> : tensor<4xi1>
  %0 = stablehlo.not %x : tensor<4xi1>
  check.expect_eq_const %0, dense<false> : tensor<4xi1>`,
	"map of a clamp with a constant operand": `
  %x = stablehlo.constant dense<[0.0, 3.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[5.0, 4.0]> : tensor<2xf32>
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %k = stablehlo.constant dense<2.0> : tensor<f32>
    %s = stablehlo.clamp %a, %k, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[2.0, 3.0]> : tensor<2xf32>`,
	"reduction whose two results are exchanged in each step": `
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %y = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %n = stablehlo.constant dense<100> : tensor<i32>
  %0:2 = "stablehlo.reduce"(%x, %y, %z, %n) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>):
    stablehlo.return %b, %a : tensor<i32>, tensor<i32>
  }) : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  %s = stablehlo.add %0#0, %0#1 : tensor<2xi32>
  check.expect_eq_const %s, dense<100> : tensor<2xi32>`,
	"decimal attributes that begin with 0": `
  %x = stablehlo.constant dense<1.0> : tensor<4xf32>
  %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 00>, limit_indices = array<i64: 04>, strides = array<i64: 01>}> : (tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %0, dense<1.0> : tensor<4xf32>`,
}

func TestHazards(t *testing.T) {
	const before = "func.func @main() {\n  %z = stablehlo.constant dense<0> : tensor<i32>\n  %1 = stablehlo.constant dense<[5.0e30, 5.0e-30]> : tensor<2xf32>\n"
	for name, body := range hazards {
		t.Run(name, func(t *testing.T) {
			text := before + body + "\n  return\n}\n"
			if name != "complex modulus does not overflow" {
				text = "func.func @main() {\n  %z = stablehlo.constant dense<0> : tensor<i32>\n" + body + "\n  return\n}\n"
			}
			for _, x := range runtime.Executors() {
				if x.Available() != nil {
					continue
				}
				p, out, err := runChecks(x, name, text)
				require.NoError(t, err)
				require.NotEmpty(t, p.Checks)
				for i, c := range p.Checks {
					got, want := out[p.Results+2*i], out[p.Results+2*i+1]
					d := c.Compare(got.Aval(), got.Tensor().Data, want.Tensor().Data)
					assert.Negative(t, d.Index, "%s, line %d: %v", x.Name(), c.Place.Line, d)
				}
			}
		})
	}
}
