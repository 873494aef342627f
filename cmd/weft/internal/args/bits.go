package args

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// bitArray is an array as a line of JSON. Bits are the bytes of the elements in hexadecimal, little-endian, row by row.
// Elements narrower than a byte take a whole byte. Keys are their 32-bit words; an array of keys of two words may also
// be written as a u32 array with a last axis of 2.
type bitArray struct {
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Bits  string `json:"bits"`
}

// ReadBits reads arguments of the given types as JSON objects, one per argument.
func ReadBits(r io.Reader, want []core.ShapedArray) ([]*runtime.Array, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	var out []*runtime.Array
	for {
		var b bitArray
		err := d.Decode(&b)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", len(out)+1, notBits(err))
		}
		if len(out) == len(want) {
			return nil, countError(want, len(out)+1)
		}
		a, err := b.array(want[len(out)])
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", len(out)+1, err)
		}
		out = append(out, a)
	}
	if len(out) != len(want) {
		return nil, countError(want, len(out))
	}
	return out, nil
}

// notBits rephrases an error of package json in terms of the format.
func notBits(err error) error {
	const form = `write {"dtype":"f32","shape":[2],"bits":"0000803f00000040"}`
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		where := "the argument"
		if kind.Field != "" {
			where = kind.Field
		}
		return fmt.Errorf("%s is a JSON %s, and should not be; %s", where, kind.Value, form)
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("there is no field %s; %s", field, form)
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err // reading failed
	}
	return fmt.Errorf("is no JSON: %s; %s", strings.TrimPrefix(err.Error(), "json: "), form)
}

func (b bitArray) array(want core.ShapedArray) (*runtime.Array, error) {
	dt, ok := core.ParseDType(b.DType)
	if !ok {
		return nil, fmt.Errorf("%q is no dtype; write one, as f32", b.DType)
	}
	for _, n := range b.Shape {
		if n < 0 {
			return nil, fmt.Errorf("%v is no shape; write sizes of 0 or more", b.Shape)
		}
	}
	// Keys and their words have the same bits.
	switch n := len(b.Shape) - 1; {
	case want.DType.IsKey() && dt == core.Uint32 && n >= 0 && b.Shape[n] == want.DType.KeyWords():
		dt, b.Shape = want.DType, b.Shape[:n]
	case want.DType == core.Uint32 && dt.IsKey():
		dt, b.Shape = core.Uint32, append(b.Shape, dt.KeyWords())
	}
	got := core.Aval(dt, b.Shape...)
	if !fits(want, got) {
		return nil, typeError(want, got)
	}
	want = filled(want, b.Shape)
	raw, err := hex.DecodeString(b.Bits)
	var wrong hex.InvalidByteError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("bits contains %q, which is no hexadecimal digit; write 0 to 9 and a to f", rune(wrong))
	case err != nil:
		return nil, fmt.Errorf("bits contains %d hexadecimal digits; a byte takes two", len(b.Bits))
	}
	if n := want.Size() * dt.Size(); want.Size() >= 0 && len(raw) != n {
		return nil, fmt.Errorf("%v has %s, got %d; write two digits for each", want, core.Count(n, "byte"), len(raw))
	}
	a, err := alloc(want)
	if err != nil {
		return nil, err
	}
	copy(a.Tensor().Data, raw)
	littleEndian(a.Tensor().Data, dt)
	return a, checkBytes(a.Tensor().Data, dt)
}

// checkBytes checks that elements narrower than a byte are extended to bytes as they are in memory.
func checkBytes(data []byte, dt core.DType) error {
	for i, b := range data {
		ok := true
		switch {
		case dt == core.Bool:
			ok = b <= 1
		case dt.IsUnsigned() && dt.Bits() < 8 || dt.IsMinorFloat():
			ok = int(b) < 1<<dt.Bits()
		case dt.IsSigned() && dt.Bits() < 8:
			lim := int8(1) << (dt.Bits() - 1)
			ok = int8(b) >= -lim && int8(b) < lim
		default:
			return nil
		}
		if !ok {
			return fmt.Errorf("byte %d is %#02x, which is no %v; write a value of the type", i, b, dt)
		}
	}
	return nil
}

// littleEndian converts elements between the host's byte order and little-endian, in place.
func littleEndian(data []byte, dt core.DType) {
	var b [2]byte
	if binary.NativeEndian.PutUint16(b[:], 1); b[0] == 1 {
		return
	}
	n := dt.Size()
	if dt.IsComplex() || dt.IsKey() {
		n /= 2
	}
	for i := 0; n > 1 && i+n <= len(data); i += n {
		slices.Reverse(data[i : i+n])
	}
}

// Bits writes an array as a line of JSON.
func Bits(a *runtime.Array) string {
	t := a.Aval()
	var data []byte
	a.Read("print", func(e *reference.Tensor) { data = slices.Clone(e.Data) })
	littleEndian(data, t.DType)
	shape := t.Shape.Ints()
	if shape == nil {
		shape = []int{}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // key<fry>
	if err := e.Encode(bitArray{t.DType.String(), shape, hex.EncodeToString(data)}); err != nil {
		panic("BUG: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
