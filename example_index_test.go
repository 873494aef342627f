package weft_test

import (
	"bytes"
	"fmt"

	"github.com/weft-go/weft"
)

// Ints, ranges and texts index as they do in NumPy.
func ExampleArray_Index() {
	x := weft.Arange(12).Reshape(3, 4)
	fmt.Println(x.Index(1, -1))
	fmt.Println(x.Index(weft.R(0, 2), 0))
	fmt.Println(x.Index("::2, 1:3"))
	fmt.Println(x.Index(weft.Of(2, 0), 1))
	fmt.Println(x.Index(x.Gt(8)))
	// Output:
	// 7
	// [0 4]
	// [[ 1  2]
	//  [ 9 10]]
	// [9 1]
	// [ 9 10 11]
}

// An update returns a new array; x stays as it is.
func ExampleArray_At() {
	x := weft.Zeros(5)
	fmt.Println(x.At(0).Set(7))
	fmt.Println(x.At("1:3").Add(1))
	fmt.Println(x.At(weft.Of(4, 4, 0)).Add(1))
	fmt.Println(x)
	// Output:
	// [7. 0. 0. 0. 0.]
	// [0. 1. 1. 0. 0.]
	// [1. 0. 0. 0. 2.]
	// [0. 0. 0. 0. 0.]
}

// Reading with an Array beyond the end returns the nearest element; Fill returns a number.
func ExampleRef_Fill() {
	x, i := weft.Of(1., 2, 3), weft.Of(0, 5)
	fmt.Println(x.Index(i), x.At(i).Fill(-1).Get())
	// Output: [1. 3.] [ 1. -1.]
}

// Writing beyond the end is left out, unless the mode states otherwise.
func ExampleRef_Mode() {
	x, i := weft.Zeros(3), weft.Of(0, 5)
	fmt.Println(x.At(i).Set(1), x.At(i).Mode(weft.ClipIndex).Set(1))
	// Output: [1. 0. 0.] [1. 0. 1.]
}

func ExampleRef_Apply() {
	fmt.Println(weft.Of(4., 9, 16).At("1:").Apply(weft.Sqrt))
	// Output: [4. 3. 4.]
}

// Numbers on either side take the other's type.
func ExampleWhere() {
	x := weft.Of(-1., 2, -3)
	fmt.Println(weft.Where(x.Gt(0), x, 0))
	// Output: [0. 2. 0.]
}

// A slice states its type, unless another is asked for.
func ExampleFrom() {
	rows := [][]float64{{1, 2}, {3, 4}}
	fmt.Printf("%+v\n", weft.From(rows).Sum(0))
	fmt.Printf("%+v\n", weft.From(rows, weft.Float32).Sum(0))
	// Output:
	// f64[2] [4. 6.]
	// f32[2] [4. 6.]
}

// A model is written under its fields' names and read into one of the same type.
func ExampleSave() {
	type model struct{ W, B weft.Array }
	var file bytes.Buffer
	if err := weft.Save(&file, model{weft.Of(1., 2), weft.Scalar(0.5)}); err != nil {
		fmt.Println(err)
	}
	var m model
	if err := weft.Load(&file, &m); err != nil {
		fmt.Println(err)
	}
	fmt.Println(m.W, m.B)
	// Output: [1. 2.] 0.5
}

// What numpy.load reads as one array.
func ExampleSaveNpy() {
	var file bytes.Buffer
	if err := weft.SaveNpy(&file, weft.Arange(3)); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", file.Bytes()[1:6])
	var x weft.Array
	fmt.Println(weft.Load(&file, &x), x)
	// Output:
	// "NUMPY"
	// <nil> [0 1 2]
}
