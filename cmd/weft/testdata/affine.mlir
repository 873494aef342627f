// y = max(w·x + 1, 0), as an exporter writes it.
module @jit_affine attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%w: tensor<2xf32>, %x: tensor<2xf32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %w, %x, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.add %0, %cst : tensor<f32>
    %2 = call @relu(%1) : (tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @relu(%arg0: tensor<f32>) -> tensor<f32> {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.maximum %arg0, %cst : tensor<f32>
    return %0 : tensor<f32>
  }
}
