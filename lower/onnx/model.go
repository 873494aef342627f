package onnx

import "github.com/weft-go/weft/core"

// A Model is the content of a file.
type Model struct {
	IR        int64            // version of the format
	Opsets    map[string]int64 // versions of the operators by domain; "" is ai.onnx
	Producer  string
	Graph     *Graph
	Functions []*Function
	Metadata  map[string]string
}

// A Graph is a list of nodes. The format demands an order in which each node reads only inputs,
// initializers, results of earlier nodes and values of surrounding graphs; [Read] does not check it.
type Graph struct {
	Name         string
	Nodes        []*Node
	Initializers []*Tensor
	Sparse       []*SparseTensor
	Inputs       []*ValueInfo
	Outputs      []*ValueInfo
	Values       []*ValueInfo // types of intermediate values, where the exporter states them
}

// A Node applies an operator. An empty input is one that is left off; an empty output one that
// nobody reads.
type Node struct {
	Name, Op, Domain, Overload string
	Inputs, Outputs            []string
	Attrs                      map[string]*Attr
}

// A Function defines an operator by nodes.
type Function struct {
	Name, Domain, Overload string
	Inputs, Outputs        []string
	Attrs                  []string         // parameters without a default
	Defaults               map[string]*Attr // parameters with a default, and the default
	Nodes                  []*Node
	Opsets                 map[string]int64
}

// AttrType is the type of an attribute; its values are the numbers that stand for types in files.
type AttrType int64

// The types of attributes.
const (
	AttrUndefined AttrType = iota
	AttrFloat
	AttrInt
	AttrString
	AttrTensor
	AttrGraph
	AttrFloats
	AttrInts
	AttrStrings
	AttrTensors
	AttrGraphs
	AttrSparse
	AttrSparses
	AttrTypeProto
	AttrTypeProtos
)

// String returns the type's name as the format has it, or "unknown".
func (t AttrType) String() string {
	names := [...]string{"UNDEFINED", "FLOAT", "INT", "STRING", "TENSOR", "GRAPH", "FLOATS", "INTS", "STRINGS", "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"}
	if t < 0 || int(t) >= len(names) {
		return "unknown"
	}
	return names[t]
}

// An Attr is an attribute of a node. If Ref is "", its type says which field has its value.
type Attr struct {
	Name    string
	Type    AttrType
	Ref     string // the parameter of the surrounding function that it takes its value from
	Float   float32
	Int     int64
	String  string
	Tensor  *Tensor
	Graph   *Graph
	Sparse  *SparseTensor
	Floats  []float32
	Ints    []int64
	Strings []string
	Tensors []*Tensor
	Graphs  []*Graph
}

// A Tensor is an array of constants. Data has the elements in row-major order, each as it lies in
// the memory of an array of its type; strings are in Strings instead.
type Tensor struct {
	Name    string
	Dims    []int64
	Elem    Elem
	Data    []byte
	Strings []string
}

// A SparseTensor has the elements that are not zero: their indices are flat (rank 1) or one for
// each axis (rank 2).
type SparseTensor struct {
	Values, Indices *Tensor
	Dims            []int64
}

// A ValueInfo is the name and type of a value.
type ValueInfo struct {
	Name string
	Type *Type
}

// A Type is the type of a value. At most one of its fields is set.
type Type struct {
	Tensor   *TensorType
	Sequence *Type
	Optional *Type
	Map      bool
	Sparse   *TensorType
}

// A TensorType is the type of arrays. Shape is meaningful only if Known is true.
type TensorType struct {
	Elem  Elem
	Shape []Dim
	Known bool // the shape is stated
}

// A Dim is the size of an axis: a number, or −1 and perhaps a name.
type Dim struct {
	Size int64
	Name string
}

// Elem is an element type; its values are the numbers that stand for element types in files.
type Elem int64

// elems lists the element types by number, with the dtype of their arrays, Invalid if there is none.
var elems = [...]struct {
	name  string
	dtype core.DType
}{
	0: {"undefined", core.Invalid}, 1: {"float", core.Float32}, 2: {"uint8", core.Uint8}, 3: {"int8", core.Int8}, 4: {"uint16", core.Uint16}, 5: {"int16", core.Int16},
	6: {"int32", core.Int32}, 7: {"int64", core.Int64}, 8: {"string", core.Invalid}, 9: {"bool", core.Bool}, 10: {"float16", core.Float16}, 11: {"double", core.Float64},
	12: {"uint32", core.Uint32}, 13: {"uint64", core.Uint64}, 14: {"complex64", core.Complex64}, 15: {"complex128", core.Complex128}, 16: {"bfloat16", core.BFloat16},
	17: {"float8e4m3fn", core.Float8E4M3FN}, 18: {"float8e4m3fnuz", core.Float8E4M3FNUZ}, 19: {"float8e5m2", core.Float8E5M2}, 20: {"float8e5m2fnuz", core.Float8E5M2FNUZ},
	21: {"uint4", core.Uint4}, 22: {"int4", core.Int4}, 23: {"float4e2m1", core.Float4E2M1FN}, 24: {"float8e8m0", core.Float8E8M0FNU}, 25: {"uint2", core.Uint2}, 26: {"int2", core.Int2},
	27: {"float6e2m3", core.Float6E2M3FN}, 28: {"float6e3m2", core.Float6E3M2FN},
}

// String is the element type of texts.
const String Elem = 8

// String returns the type's name as the format has it, or "unknown".
func (e Elem) String() string {
	if e < 0 || int(e) >= len(elems) {
		return "unknown"
	}
	return elems[e].name
}

// DType returns the dtype of arrays with these elements, Invalid if there is none.
func (e Elem) DType() core.DType {
	if e < 0 || int(e) >= len(elems) {
		return core.Invalid
	}
	return elems[e].dtype
}
