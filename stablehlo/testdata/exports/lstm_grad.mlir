module @jit_lstm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x16xf32>, %arg1: tensor<6x3xf32>) -> (tensor<7x16xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x7xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14:17 = stablehlo.while(%iterArg = %arg1, %iterArg_18 = %arg0, %iterArg_19 = %c, %iterArg_20 = %0, %iterArg_21 = %1, %iterArg_22 = %2, %iterArg_23 = %3, %iterArg_24 = %4, %iterArg_25 = %5, %iterArg_26 = %6, %iterArg_27 = %7, %iterArg_28 = %8, %iterArg_29 = %9, %iterArg_30 = %10, %iterArg_31 = %11, %iterArg_32 = %12, %iterArg_33 = %13) : tensor<6x3xf32>, tensor<7x16xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<6x7xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
    cond {
      %c_34 = stablehlo.constant dense<6> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_19, %c_34, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %20 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_19) : (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>
      %21:14 = func.call @closed_call(%iterArg_18, %iterArg_20, %iterArg_21, %20) : (tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<7xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      %22 = func.call @dynamic_update_index_in_dim(%iterArg_22, %21#2, %iterArg_19) : (tensor<6x7xf32>, tensor<7xf32>, tensor<i32>) -> tensor<6x7xf32>
      %23 = func.call @dynamic_update_index_in_dim_0(%iterArg_23, %21#3, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %24 = func.call @dynamic_update_index_in_dim_0(%iterArg_24, %21#4, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %25 = func.call @dynamic_update_index_in_dim_0(%iterArg_25, %21#5, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %26 = func.call @dynamic_update_index_in_dim_0(%iterArg_26, %21#6, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %27 = func.call @dynamic_update_index_in_dim_0(%iterArg_27, %21#7, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %28 = func.call @dynamic_update_index_in_dim_0(%iterArg_28, %21#8, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %29 = func.call @dynamic_update_index_in_dim_0(%iterArg_29, %21#9, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %30 = func.call @dynamic_update_index_in_dim_0(%iterArg_30, %21#10, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %31 = func.call @dynamic_update_index_in_dim_0(%iterArg_31, %21#11, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %32 = func.call @dynamic_update_index_in_dim_0(%iterArg_32, %21#12, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %33 = func.call @dynamic_update_index_in_dim_0(%iterArg_33, %21#13, %iterArg_19) : (tensor<6x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
      %c_34 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_19, %c_34 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %34, %21#0, %21#1, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33 : tensor<6x3xf32>, tensor<7x16xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>, tensor<6x7xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
    }
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<7x16xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %19:18 = stablehlo.while(%iterArg = %15, %iterArg_18 = %14#5, %iterArg_19 = %14#6, %iterArg_20 = %14#7, %iterArg_21 = %14#8, %iterArg_22 = %14#9, %iterArg_23 = %14#10, %iterArg_24 = %14#11, %iterArg_25 = %14#12, %iterArg_26 = %14#13, %iterArg_27 = %14#14, %iterArg_28 = %14#15, %iterArg_29 = %14#16, %iterArg_30 = %arg0, %iterArg_31 = %c_17, %iterArg_32 = %18, %iterArg_33 = %16, %iterArg_34 = %17) : tensor<6x4xf32>, tensor<6x7xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<7x16xf32>, tensor<i32>, tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>
    cond {
      %c_35 = stablehlo.constant dense<6> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_31, %c_35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %c_35 = stablehlo.constant dense<6> : tensor<i32>
      %20 = stablehlo.subtract %c_35, %iterArg_31 : tensor<i32>
      %c_36 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.subtract %20, %c_36 : tensor<i32>
      %22 = func.call @dynamic_index_in_dim_1(%iterArg, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %23 = func.call @dynamic_index_in_dim_2(%iterArg_18, %21) : (tensor<6x7xf32>, tensor<i32>) -> tensor<7xf32>
      %24 = func.call @dynamic_index_in_dim_1(%iterArg_19, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %25 = func.call @dynamic_index_in_dim_1(%iterArg_20, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %26 = func.call @dynamic_index_in_dim_1(%iterArg_21, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %27 = func.call @dynamic_index_in_dim_1(%iterArg_22, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %28 = func.call @dynamic_index_in_dim_1(%iterArg_23, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %29 = func.call @dynamic_index_in_dim_1(%iterArg_24, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %30 = func.call @dynamic_index_in_dim_1(%iterArg_25, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %31 = func.call @dynamic_index_in_dim_1(%iterArg_26, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %32 = func.call @dynamic_index_in_dim_1(%iterArg_27, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %33 = func.call @dynamic_index_in_dim_1(%iterArg_28, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %34 = func.call @dynamic_index_in_dim_1(%iterArg_29, %21) : (tensor<6x4xf32>, tensor<i32>) -> tensor<4xf32>
      %35:3 = func.call @closed_call_3(%iterArg_30, %iterArg_32, %iterArg_33, %iterArg_34, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34) : (tensor<7x16xf32>, tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<7xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>)
      %c_37 = stablehlo.constant dense<1> : tensor<i32>
      %36 = stablehlo.add %iterArg_31, %c_37 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %36, %35#0, %35#1, %35#2 : tensor<6x4xf32>, tensor<6x7xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<7x16xf32>, tensor<i32>, tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>
    }
    return %19#15 : tensor<7x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 3] : (tensor<6x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<7x16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<7xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.concatenate %arg3, %arg1, dim = 0 : (tensor<3xf32>, tensor<4xf32>) -> tensor<7xf32>
    %1 = stablehlo.dot_general %0, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<7xf32>, tensor<7x16xf32>) -> tensor<16xf32>
    %2 = stablehlo.slice %1 [0:4] : (tensor<16xf32>) -> tensor<4xf32>
    %3 = stablehlo.slice %1 [4:8] : (tensor<16xf32>) -> tensor<4xf32>
    %4 = stablehlo.slice %1 [8:12] : (tensor<16xf32>) -> tensor<4xf32>
    %5 = stablehlo.slice %1 [12:16] : (tensor<16xf32>) -> tensor<4xf32>
    %6 = stablehlo.negate %3 : tensor<4xf32>
    %7 = stablehlo.exponential %6 : tensor<4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.add %8, %7 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.divide %10, %9 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<4xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<4xf32>
    %15 = stablehlo.multiply %11, %arg2 : tensor<4xf32>
    %16 = stablehlo.negate %2 : tensor<4xf32>
    %17 = stablehlo.exponential %16 : tensor<4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %19 = stablehlo.add %18, %17 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %21 = stablehlo.divide %20, %19 : tensor<4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %23 = stablehlo.subtract %22, %21 : tensor<4xf32>
    %24 = stablehlo.multiply %21, %23 : tensor<4xf32>
    %25 = stablehlo.tanh %4 : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %27 = stablehlo.subtract %26, %25 : tensor<4xf32>
    %28 = stablehlo.multiply %21, %25 : tensor<4xf32>
    %29 = stablehlo.add %15, %28 : tensor<4xf32>
    %30 = stablehlo.negate %5 : tensor<4xf32>
    %31 = stablehlo.exponential %30 : tensor<4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %33 = stablehlo.add %32, %31 : tensor<4xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %35 = stablehlo.divide %34, %33 : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %37 = stablehlo.subtract %36, %35 : tensor<4xf32>
    %38 = stablehlo.multiply %35, %37 : tensor<4xf32>
    %39 = stablehlo.tanh %29 : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %41 = stablehlo.subtract %40, %39 : tensor<4xf32>
    %42 = stablehlo.multiply %35, %39 : tensor<4xf32>
    return %42, %29, %0, %14, %arg2, %11, %24, %25, %27, %21, %38, %39, %41, %35 : tensor<4xf32>, tensor<4xf32>, tensor<7xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<i32>) -> tensor<6x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x7xf32>, tensor<1x7xf32>, tensor<i32>, tensor<i32>) -> tensor<6x7xf32>
    return %1 : tensor<6x7xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<6x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> tensor<6x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
    return %1 : tensor<6x4xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<6x4xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 4] : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<6x7xf32>, %arg1: tensor<i32>) -> tensor<7xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 7] : (tensor<6x7xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x7xf32>) -> tensor<7xf32>
    return %1 : tensor<7xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<7x16xf32>, %arg1: tensor<7x16xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>, %arg5: tensor<7xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<4xf32>, %arg10: tensor<4xf32>, %arg11: tensor<4xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<4xf32>, %arg16: tensor<4xf32>) -> (tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.add %arg2, %arg4 : tensor<4xf32>
    %1 = stablehlo.multiply %arg16, %0 : tensor<4xf32>
    %2 = stablehlo.multiply %0, %arg14 : tensor<4xf32>
    %3 = stablehlo.multiply %1, %arg15 : tensor<4xf32>
    %4 = stablehlo.add %arg3, %3 : tensor<4xf32>
    %5 = stablehlo.multiply %3, %arg14 : tensor<4xf32>
    %6 = stablehlo.add %4, %5 : tensor<4xf32>
    %7 = stablehlo.multiply %2, %arg13 : tensor<4xf32>
    %8 = stablehlo.multiply %arg12, %6 : tensor<4xf32>
    %9 = stablehlo.multiply %6, %arg10 : tensor<4xf32>
    %10 = stablehlo.multiply %8, %arg11 : tensor<4xf32>
    %11 = stablehlo.multiply %10, %arg10 : tensor<4xf32>
    %12 = stablehlo.add %10, %11 : tensor<4xf32>
    %13 = stablehlo.multiply %9, %arg9 : tensor<4xf32>
    %14 = stablehlo.multiply %arg8, %6 : tensor<4xf32>
    %15 = stablehlo.multiply %6, %arg7 : tensor<4xf32>
    %16 = stablehlo.multiply %15, %arg6 : tensor<4xf32>
    %17 = stablehlo.concatenate %13, %16, %12, %7, dim = 0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
    %18 = stablehlo.dot_general %17, %arg5, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<7xf32>) -> tensor<16x7xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<16x7xf32>) -> tensor<7x16xf32>
    %20 = stablehlo.add %arg1, %19 : tensor<7x16xf32>
    %21 = stablehlo.dot_general %17, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<7x16xf32>) -> tensor<7xf32>
    %22 = stablehlo.slice %21 [0:3] : (tensor<7xf32>) -> tensor<3xf32>
    %23 = stablehlo.slice %21 [3:7] : (tensor<7xf32>) -> tensor<4xf32>
    return %20, %23, %14 : tensor<7x16xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
