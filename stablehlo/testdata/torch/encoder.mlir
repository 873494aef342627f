module @IrToHlo.436 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<48xf32>, %arg9: tensor<48x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<16xf32>, %arg12: tensor<16x32xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32x16xf32>, %arg15: tensor<16xf32>, %arg16: tensor<16xf32>, %arg17: tensor<16x16xf32>, %arg18: tensor<48xf32>, %arg19: tensor<48x16xf32>, %arg20: tensor<2x6xi64>, %arg21: tensor<20x16xf32>, %arg22: tensor<16xf32>, %arg23: tensor<16xf32>, %arg24: tensor<16xf32>, %arg25: tensor<16xf32>) -> tensor<2x16xf32> {
    %cst = stablehlo.constant dense<0.166666672> : tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<2x6x32xf32>
    %cst_1 = stablehlo.constant dense<0.707106769> : tensor<2x6x32xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<2x6x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<12xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<12xf32>
    %cst_5 = stablehlo.constant dense<0.594603539> : tensor<2x2x8x6xf32>
    %cst_6 = stablehlo.constant dense<0.594603539> : tensor<2x2x6x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg20 : (tensor<2x6xi64>) -> tensor<12xi64>
    %1 = stablehlo.convert %0 : (tensor<12xi64>) -> tensor<12xui32>
    %2 = "stablehlo.gather"(%arg21, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<20x16xf32>, tensor<12xui32>) -> tensor<12x16xf32>
    %3 = stablehlo.reshape %2 : (tensor<12x16xf32>) -> tensor<2x6x16xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[6,2,16]{2,0,1}"} : (tensor<2x6x16xf32>) -> tensor<6x2x16xf32>
    %5 = stablehlo.transpose %arg19, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,48]{0,1}"} : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<16x48xf32>) -> tensor<6x16x48xf32>
    %7 = stablehlo.dot_general %4, %6, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x16xf32>, tensor<6x16x48xf32>) -> tensor<6x2x48xf32>
    %8 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<48xf32>) -> tensor<6x2x48xf32>
    %9 = stablehlo.add %7, %8 : tensor<6x2x48xf32>
    %10 = stablehlo.reshape %9 : (tensor<6x2x48xf32>) -> tensor<1x6x2x3x16xf32>
    %11 = stablehlo.transpose %10, dims = [3, 1, 2, 0, 4] {result_layout = dense<[4, 0, 2, 1, 3]> : tensor<5xindex>, xla_shape = "f32[3,6,2,1,16]{4,0,2,1,3}"} : (tensor<1x6x2x3x16xf32>) -> tensor<3x6x2x1x16xf32>
    %12 = stablehlo.reshape %11 : (tensor<3x6x2x1x16xf32>) -> tensor<3x6x2x16xf32>
    %13 = stablehlo.slice %12 [0:1, 0:6, 0:2, 0:16] : (tensor<3x6x2x16xf32>) -> tensor<1x6x2x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x6x2x16xf32>) -> tensor<6x4x8xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[4,6,8]{2,0,1}"} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %16 = stablehlo.reshape %15 : (tensor<4x6x8xf32>) -> tensor<2x2x6x8xf32>
    %17 = stablehlo.multiply %16, %cst_6 : tensor<2x2x6x8xf32>
    %18 = stablehlo.reshape %17 : (tensor<2x2x6x8xf32>) -> tensor<4x6x8xf32>
    %19 = stablehlo.slice %12 [1:2, 0:6, 0:2, 0:16] : (tensor<3x6x2x16xf32>) -> tensor<1x6x2x16xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x6x2x16xf32>) -> tensor<6x4x8xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[4,6,8]{2,0,1}"} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %22 = stablehlo.reshape %21 : (tensor<4x6x8xf32>) -> tensor<2x2x6x8xf32>
    %23 = stablehlo.transpose %22, dims = [0, 1, 3, 2] {result_layout = dense<[2, 3, 1, 0]> : tensor<4xindex>, xla_shape = "f32[2,2,8,6]{2,3,1,0}"} : (tensor<2x2x6x8xf32>) -> tensor<2x2x8x6xf32>
    %24 = stablehlo.multiply %23, %cst_5 : tensor<2x2x8x6xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x2x8x6xf32>) -> tensor<4x8x6xf32>
    %26 = stablehlo.dot_general %18, %25, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x8x6xf32>) -> tensor<4x6x6xf32>
    %27 = stablehlo.reshape %26 : (tensor<4x6x6xf32>) -> tensor<2x2x6x6xf32>
    %28 = stablehlo.reduce(%27 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %30 = stablehlo.subtract %27, %29 : tensor<2x2x6x6xf32>
    %31 = stablehlo.exponential %30 : tensor<2x2x6x6xf32>
    %32 = stablehlo.reduce(%31 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %34 = stablehlo.divide %31, %33 : tensor<2x2x6x6xf32>
    %35 = stablehlo.reshape %34 : (tensor<2x2x6x6xf32>) -> tensor<4x6x6xf32>
    %36 = stablehlo.slice %12 [2:3, 0:6, 0:2, 0:16] : (tensor<3x6x2x16xf32>) -> tensor<1x6x2x16xf32>
    %37 = stablehlo.reshape %36 : (tensor<1x6x2x16xf32>) -> tensor<6x4x8xf32>
    %38 = stablehlo.transpose %37, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[4,6,8]{2,0,1}"} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %39 = stablehlo.dot_general %35, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x6xf32>, tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %40 = stablehlo.reshape %39 : (tensor<4x6x8xf32>) -> tensor<2x2x6x8xf32>
    %41 = stablehlo.transpose %40, dims = [2, 0, 1, 3] {result_layout = dense<[3, 0, 2, 1]> : tensor<4xindex>, xla_shape = "f32[6,2,2,8]{3,0,2,1}"} : (tensor<2x2x6x8xf32>) -> tensor<6x2x2x8xf32>
    %42 = stablehlo.reshape %41 : (tensor<6x2x2x8xf32>) -> tensor<12x16xf32>
    %43 = stablehlo.transpose %arg17, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %44 = stablehlo.dot_general %42, %43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x16xf32>) -> tensor<12x16xf32>
    %45 = stablehlo.broadcast_in_dim %arg16, dims = [1] : (tensor<16xf32>) -> tensor<12x16xf32>
    %46 = stablehlo.add %44, %45 : tensor<12x16xf32>
    %47 = stablehlo.reshape %46 : (tensor<12x16xf32>) -> tensor<6x2x16xf32>
    %48 = stablehlo.transpose %47, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[2,6,16]{2,0,1}"} : (tensor<6x2x16xf32>) -> tensor<2x6x16xf32>
    %49 = stablehlo.add %3, %48 : tensor<2x6x16xf32>
    %50 = stablehlo.reshape %49 : (tensor<2x6x16xf32>) -> tensor<1x12x16xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%50, %cst_4, %cst_3) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>)
    %51 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %52 = stablehlo.reshape %output : (tensor<1x12x16xf32>) -> tensor<2x6x16xf32>
    %53 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %54 = stablehlo.multiply %52, %53 : tensor<2x6x16xf32>
    %55 = stablehlo.add %51, %54 : tensor<2x6x16xf32>
    %56 = stablehlo.reshape %55 : (tensor<2x6x16xf32>) -> tensor<12x16xf32>
    %57 = stablehlo.transpose %arg14, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,32]{0,1}"} : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %58 = stablehlo.dot_general %56, %57, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x32xf32>) -> tensor<12x32xf32>
    %59 = stablehlo.broadcast_in_dim %arg13, dims = [1] : (tensor<32xf32>) -> tensor<12x32xf32>
    %60 = stablehlo.add %58, %59 : tensor<12x32xf32>
    %61 = stablehlo.reshape %60 : (tensor<12x32xf32>) -> tensor<2x6x32xf32>
    %62 = stablehlo.multiply %61, %cst_2 : tensor<2x6x32xf32>
    %63 = stablehlo.multiply %61, %cst_1 : tensor<2x6x32xf32>
    %64 = stablehlo.custom_call @mhlo.erf(%63) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %65 = stablehlo.add %64, %cst_0 : tensor<2x6x32xf32>
    %66 = stablehlo.multiply %62, %65 : tensor<2x6x32xf32>
    %67 = stablehlo.reshape %66 : (tensor<2x6x32xf32>) -> tensor<12x32xf32>
    %68 = stablehlo.transpose %arg12, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[32,16]{0,1}"} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %69 = stablehlo.dot_general %67, %68, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x32xf32>, tensor<32x16xf32>) -> tensor<12x16xf32>
    %70 = stablehlo.broadcast_in_dim %arg11, dims = [1] : (tensor<16xf32>) -> tensor<12x16xf32>
    %71 = stablehlo.add %69, %70 : tensor<12x16xf32>
    %72 = stablehlo.reshape %71 : (tensor<12x16xf32>) -> tensor<2x6x16xf32>
    %73 = stablehlo.add %55, %72 : tensor<2x6x16xf32>
    %74 = stablehlo.reshape %73 : (tensor<2x6x16xf32>) -> tensor<1x12x16xf32>
    %output_9, %batch_mean_10, %batch_var_11 = "stablehlo.batch_norm_training"(%74, %cst_4, %cst_3) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>)
    %75 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %76 = stablehlo.reshape %output_9 : (tensor<1x12x16xf32>) -> tensor<2x6x16xf32>
    %77 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<2x6x16xf32>
    %79 = stablehlo.add %75, %78 : tensor<2x6x16xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[6,2,16]{2,0,1}"} : (tensor<2x6x16xf32>) -> tensor<6x2x16xf32>
    %81 = stablehlo.transpose %arg9, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,48]{0,1}"} : (tensor<48x16xf32>) -> tensor<16x48xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [1, 2] : (tensor<16x48xf32>) -> tensor<6x16x48xf32>
    %83 = stablehlo.dot_general %80, %82, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x2x16xf32>, tensor<6x16x48xf32>) -> tensor<6x2x48xf32>
    %84 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<48xf32>) -> tensor<6x2x48xf32>
    %85 = stablehlo.add %83, %84 : tensor<6x2x48xf32>
    %86 = stablehlo.reshape %85 : (tensor<6x2x48xf32>) -> tensor<1x6x2x3x16xf32>
    %87 = stablehlo.transpose %86, dims = [3, 1, 2, 0, 4] {result_layout = dense<[4, 0, 2, 1, 3]> : tensor<5xindex>, xla_shape = "f32[3,6,2,1,16]{4,0,2,1,3}"} : (tensor<1x6x2x3x16xf32>) -> tensor<3x6x2x1x16xf32>
    %88 = stablehlo.reshape %87 : (tensor<3x6x2x1x16xf32>) -> tensor<3x6x2x16xf32>
    %89 = stablehlo.slice %88 [0:1, 0:6, 0:2, 0:16] : (tensor<3x6x2x16xf32>) -> tensor<1x6x2x16xf32>
    %90 = stablehlo.reshape %89 : (tensor<1x6x2x16xf32>) -> tensor<6x4x8xf32>
    %91 = stablehlo.transpose %90, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[4,6,8]{2,0,1}"} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %92 = stablehlo.reshape %91 : (tensor<4x6x8xf32>) -> tensor<2x2x6x8xf32>
    %93 = stablehlo.multiply %92, %cst_6 : tensor<2x2x6x8xf32>
    %94 = stablehlo.reshape %93 : (tensor<2x2x6x8xf32>) -> tensor<4x6x8xf32>
    %95 = stablehlo.slice %88 [1:2, 0:6, 0:2, 0:16] : (tensor<3x6x2x16xf32>) -> tensor<1x6x2x16xf32>
    %96 = stablehlo.reshape %95 : (tensor<1x6x2x16xf32>) -> tensor<6x4x8xf32>
    %97 = stablehlo.transpose %96, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[4,6,8]{2,0,1}"} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %98 = stablehlo.reshape %97 : (tensor<4x6x8xf32>) -> tensor<2x2x6x8xf32>
    %99 = stablehlo.transpose %98, dims = [0, 1, 3, 2] {result_layout = dense<[2, 3, 1, 0]> : tensor<4xindex>, xla_shape = "f32[2,2,8,6]{2,3,1,0}"} : (tensor<2x2x6x8xf32>) -> tensor<2x2x8x6xf32>
    %100 = stablehlo.multiply %99, %cst_5 : tensor<2x2x8x6xf32>
    %101 = stablehlo.reshape %100 : (tensor<2x2x8x6xf32>) -> tensor<4x8x6xf32>
    %102 = stablehlo.dot_general %94, %101, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<4x8x6xf32>) -> tensor<4x6x6xf32>
    %103 = stablehlo.reshape %102 : (tensor<4x6x6xf32>) -> tensor<2x2x6x6xf32>
    %104 = stablehlo.reduce(%103 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %106 = stablehlo.subtract %103, %105 : tensor<2x2x6x6xf32>
    %107 = stablehlo.exponential %106 : tensor<2x2x6x6xf32>
    %108 = stablehlo.reduce(%107 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %110 = stablehlo.divide %107, %109 : tensor<2x2x6x6xf32>
    %111 = stablehlo.reshape %110 : (tensor<2x2x6x6xf32>) -> tensor<4x6x6xf32>
    %112 = stablehlo.slice %88 [2:3, 0:6, 0:2, 0:16] : (tensor<3x6x2x16xf32>) -> tensor<1x6x2x16xf32>
    %113 = stablehlo.reshape %112 : (tensor<1x6x2x16xf32>) -> tensor<6x4x8xf32>
    %114 = stablehlo.transpose %113, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[4,6,8]{2,0,1}"} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
    %115 = stablehlo.dot_general %111, %114, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x6xf32>, tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %116 = stablehlo.reshape %115 : (tensor<4x6x8xf32>) -> tensor<2x2x6x8xf32>
    %117 = stablehlo.transpose %116, dims = [2, 0, 1, 3] {result_layout = dense<[3, 0, 2, 1]> : tensor<4xindex>, xla_shape = "f32[6,2,2,8]{3,0,2,1}"} : (tensor<2x2x6x8xf32>) -> tensor<6x2x2x8xf32>
    %118 = stablehlo.reshape %117 : (tensor<6x2x2x8xf32>) -> tensor<12x16xf32>
    %119 = stablehlo.transpose %arg7, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,16]{0,1}"} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %120 = stablehlo.dot_general %118, %119, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x16xf32>) -> tensor<12x16xf32>
    %121 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<16xf32>) -> tensor<12x16xf32>
    %122 = stablehlo.add %120, %121 : tensor<12x16xf32>
    %123 = stablehlo.reshape %122 : (tensor<12x16xf32>) -> tensor<6x2x16xf32>
    %124 = stablehlo.transpose %123, dims = [1, 0, 2] {result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[2,6,16]{2,0,1}"} : (tensor<6x2x16xf32>) -> tensor<2x6x16xf32>
    %125 = stablehlo.add %79, %124 : tensor<2x6x16xf32>
    %126 = stablehlo.reshape %125 : (tensor<2x6x16xf32>) -> tensor<1x12x16xf32>
    %output_12, %batch_mean_13, %batch_var_14 = "stablehlo.batch_norm_training"(%126, %cst_4, %cst_3) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>)
    %127 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %128 = stablehlo.reshape %output_12 : (tensor<1x12x16xf32>) -> tensor<2x6x16xf32>
    %129 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %130 = stablehlo.multiply %128, %129 : tensor<2x6x16xf32>
    %131 = stablehlo.add %127, %130 : tensor<2x6x16xf32>
    %132 = stablehlo.reshape %131 : (tensor<2x6x16xf32>) -> tensor<12x16xf32>
    %133 = stablehlo.transpose %arg4, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,32]{0,1}"} : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %134 = stablehlo.dot_general %132, %133, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<16x32xf32>) -> tensor<12x32xf32>
    %135 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<32xf32>) -> tensor<12x32xf32>
    %136 = stablehlo.add %134, %135 : tensor<12x32xf32>
    %137 = stablehlo.reshape %136 : (tensor<12x32xf32>) -> tensor<2x6x32xf32>
    %138 = stablehlo.multiply %137, %cst_2 : tensor<2x6x32xf32>
    %139 = stablehlo.multiply %137, %cst_1 : tensor<2x6x32xf32>
    %140 = stablehlo.custom_call @mhlo.erf(%139) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %141 = stablehlo.add %140, %cst_0 : tensor<2x6x32xf32>
    %142 = stablehlo.multiply %138, %141 : tensor<2x6x32xf32>
    %143 = stablehlo.reshape %142 : (tensor<2x6x32xf32>) -> tensor<12x32xf32>
    %144 = stablehlo.transpose %arg2, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[32,16]{0,1}"} : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %145 = stablehlo.dot_general %143, %144, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x32xf32>, tensor<32x16xf32>) -> tensor<12x16xf32>
    %146 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<12x16xf32>
    %147 = stablehlo.add %145, %146 : tensor<12x16xf32>
    %148 = stablehlo.reshape %147 : (tensor<12x16xf32>) -> tensor<2x6x16xf32>
    %149 = stablehlo.add %131, %148 : tensor<2x6x16xf32>
    %150 = stablehlo.reshape %149 : (tensor<2x6x16xf32>) -> tensor<1x12x16xf32>
    %output_15, %batch_mean_16, %batch_var_17 = "stablehlo.batch_norm_training"(%150, %cst_4, %cst_3) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>) -> (tensor<1x12x16xf32>, tensor<12xf32>, tensor<12xf32>)
    %151 = stablehlo.broadcast_in_dim %arg25, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %152 = stablehlo.reshape %output_15 : (tensor<1x12x16xf32>) -> tensor<2x6x16xf32>
    %153 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<2x6x16xf32>
    %154 = stablehlo.multiply %152, %153 : tensor<2x6x16xf32>
    %155 = stablehlo.add %151, %154 : tensor<2x6x16xf32>
    %156 = stablehlo.reduce(%155 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x16xf32>
    %157 = stablehlo.multiply %156, %cst : tensor<2x16xf32>
    return %157 : tensor<2x16xf32>
  }
}
