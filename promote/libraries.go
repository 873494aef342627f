package promote

// The systems of libraries that no lattice describes, as tables. data/README.md names the versions.
var (
	// NumPy2 is NumPy since version 2: it looks at types only.
	NumPy2 = embedded("numpy", "NumPy 2.4.6 with ml_dtypes for bf16", "numpy2.tsv")
	// TensorFlow converts the second operand to the type of the first or refuses, so
	// the order matters.
	TensorFlow = embedded("tensorflow", "TensorFlow 2.21.0 by default: the second operand must become the first's type", "tensorflow.tsv")
	// TensorFlowAll is TensorFlow with numpy behaviour and every conversion allowed.
	TensorFlowAll = embedded("tensorflow-all", "TensorFlow 2.21.0, numpy behaviour, dtype_conversion_mode all", "tensorflow_all.tsv")
	// TensorFlowSafe allows only the conversions that lose nothing.
	TensorFlowSafe = embedded("tensorflow-safe", "TensorFlow 2.21.0, numpy behaviour, dtype_conversion_mode safe", "tensorflow_safe.tsv")
	// PyTorch is PyTorch 2.
	PyTorch = embedded("pytorch", "PyTorch 2.15.0", "pytorch.tsv")
	// PyTorchDesign is PyTorch as the JAX design document describes it.
	PyTorchDesign = embedded("pytorch-design", "PyTorch in the design document of 2021", "pytorch_design.tsv")
	// NumPy1 is NumPy before version 2: the only system that looks at values. Its
	// table is that of arrays with small Python scalars.
	NumPy1 System = &numpy1{embedded("numpy1", "NumPy 1.24: looks at the values of scalars; the table is for scalars that fit", "numpy1.tsv")}
)

// NumPy is the current NumPy.
var NumPy = NumPy2
