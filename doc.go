// Package weft turns plain Go functions over arrays into programs, and transforms them: [Jit]
// stages, [Grad], [JVP] and [VJP] differentiate, [Vmap] vectorizes, in any nesting.
//
// Operators are methods, mathematics is functions, transformations keep the
// function's type:
//
//	func loss(p Line, x, y weft.Array) weft.Array {
//		return weft.Square(x.Mul(p.W).Add(p.B).Sub(y)).Mean()
//	}
//
//	step := weft.Jit(func(p Line, x, y weft.Array) (Line, weft.Array) { … })
//
// An [Array] is a concrete array or a value of a transformation that is under way; programs treat
// both alike. Arrays that a function closes over are neither differentiated nor mapped.
//
// Mistakes panic with *[core.Error], which names the user's line, the operands' types and the
// fix. Functions that return an error return it instead, and [Try] catches it.
//
// # Transformations
//
// Programs: [Jit], with the options [Name], [Donate] and [On]. [Jaxpr] returns the program that a
// function was traced to, [Lower] the one that executors receive, [EvalShape] the types of the
// results; [Compile] compiles ahead of time. [Call] groups operations. [Now] runs a function at
// once while another is traced. [ExplainRetracing] reports why a function is traced again,
// [ProgramCache] bounds the programs that are kept.
//
// Gradients: [Grad], [ValueAndGrad], [GradAux], [ValueAndGradAux], [GradAt], [ValueAndGradAt].
//
// Other derivatives: [JVP], [VJP], [Linearize], [LinearTranspose], [Jacfwd], [Jacrev], [Hessian],
// [HVP]. [StopGradient] makes a value a constant. Rules of the user's own are in package custom.
//
// Batches: [Vmap], with the options [In], [Out], [AxisName] and [AxisSize].
//
// Memory of a derivative: [Remat] recomputes values instead of keeping them, with [Saving],
// [SaveNames], [SaveAllButNames], [CheckpointName] and [AllowCSE].
//
// Control flow: [Cond], [Switch], [While], [ForI], [ForRange], [Scan], [ScanN], [Fold], [MapScan]
// and [AssociativeScan]; [Reverse] and [Unroll] are options of scans.
//
// Go functions within programs: [PureCallback], [IOCallback], [DebugCallback] and [DebugPrint],
// with [VmapMethod] and [Ordered].
//
// Transformations of the user's own: [Interpret], [Within], [Through], [Apply] and [FromValue].
//
// # Arrays
//
// From Go values: [Scalar], [Of], [FromSlice], [From], [AsArray]. By a rule: [Zeros], [ZerosOf],
// [ZerosLike], [Ones], [OnesOf], [OnesLike], [Full], [FullLike], [Arange], [Iota], [Linspace],
// [Logspace], [Meshgrid], [Eye], [Tri], [OneHot].
//
// To Go values: [Array.Float], [Array.Int], [Array.Bool], [Array.Complex], [ToSlice], [CopyTo],
// [Values], [Array.Rows], [Array.Equal].
//
// Indices: [Array.Index] reads and [Array.At] updates, with [R] for ranges. [Take],
// [TakeAlongAxis], [PutAlongAxis], [Nonzero], [NonzeroSize], [UnravelIndex], [RavelIndex].
//
// Shapes: [Array.Reshape], [Array.Transpose], [Array.BroadcastTo] and the methods beside them;
// [Stack], [HStack], [VStack], [DStack], [Concat], [Split], [SplitEvenly], [Unstack], [Tile],
// [Repeat], [RepeatEach], [Flip], [Roll], [Rot90], [Pad], [AtLeast], [BroadcastArrays],
// [BroadcastShapes].
//
// # Mathematics
//
// Operators: [Array.Add], [Array.Mul], [Array.Lt] and the other methods. As functions, which also
// take a number on the left: [Add], [Sub], [Mul], [Div], [FloorDiv], [Mod], [Rem], [Pow],
// [FloatPower], [Eq], [Ne], [Lt], [Le], [Gt], [Ge], [Maximum], [Minimum], [Fmax], [Fmin].
//
// Choice: [Where], [Select], [Clip]. Comparison: [IsClose], [AllClose]. Types: [ImplicitCast],
// [CanCast].
//
// Exponentials and roots: [Exp], [Exp2], [Expm1], [Log], [Log1p], [Log2], [Log10], [LogAddExp],
// [Sqrt], [Rsqrt], [Cbrt], [Square], [Reciprocal], [Hypot].
//
// Angles: [Sin], [Cos], [Tan], [Asin], [Acos], [Atan], [Atan2], [Sinc], [Deg2Rad], [Rad2Deg],
// [Angle]; hyperbolic: [Sinh], [Cosh], [Tanh], [Asinh], [Acosh], [Atanh].
//
// Numbers and their parts: [Abs], [Sign], [Signbit], [Copysign], [Heaviside], [Floor], [Ceil],
// [Trunc], [Round], [Nextafter], [Ldexp], [Conj], [IsReal], [IsFinite], [IsNaN], [IsInf],
// [NaNToNum].
//
// Truth values and integers: [LogicalAnd], [LogicalOr], [LogicalXor], [LogicalNot], [Gcd], [Lcm],
// [PopulationCount].
//
// Reductions: [Array.Sum], [Array.Mean], [Array.Max], [Array.CumSum] and the methods beside them;
// [Reduce] has all their settings. [Average], [Median], [Quantile], [SegmentReduce].
//
// Order and sets: [Array.Sort], [Array.ArgSort], [TopK], [SearchSorted], [Unique], [UniqueAll],
// [UniqueSize], [IsIn], [Histogram], [Bincount].
//
// Products: [Array.Dot], [Array.MatMul], [Einsum], [Tensordot], [Outer], [Vdot], [Cross], [Conv].
// Matrices: [Norm], [Diag], [Diagonal], [Tril], [Triu], [Vander]. Factorizations are in package
// linalg.
//
// Samples of functions: [Diff], [CentralDiff], [Trapezoid], [Interp], [Polyval].
//
// # Trees and files
//
// Structs, slices and maps of arrays: [TreeMap], [TreeMap2], [TreeMap3], [TreeLeaves],
// [TreeStack], [TreeIndex], [Ravel].
//
// Files: [Save] writes safetensors, [SaveNpy] and [SaveNpz] NumPy's formats; [Load] reads all
// three, with [LoadLimit].
//
// # Settings
//
// [With] applies a setting while a function runs, [SetProcessDefault] to the process:
// [DefaultBits], [Promotion], [RankPromotion], [Precision], [Threads], [Omnistaging], [Context],
// [DefaultDevice]; [DebugNaNs], [DebugInfs], [DebugKeyReuse] and [DebugGradients] find mistakes.
//
// Devices: [Devices], [DeviceNamed], [Array.To].
package weft
