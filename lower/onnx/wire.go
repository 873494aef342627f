package onnx

import (
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/weft-go/weft/core"
)

// maxDepth bounds the nesting of messages: of graphs within graphs, and of types within types.
const maxDepth = 200

// A reader reads the fields of one message. Its errors are panics with a *core.Error, which Read
// and ReadTensor catch.
type reader struct {
	file  *file
	up    *reader // of the message around; nil for the file's
	part  string  // the field that holds the message
	index int     // in that field; −1 if it is not repeated
	name  string  // of the tensor that the message is, if it has one
	depth int
}

// file is the state that all readers of a file share.
type file struct {
	open    Opener
	readers []*reader // by depth; each serves one message after the other
}

// path returns the names of the fields that lead to the reader's message.
func (r *reader) path() string {
	path := ""
	if r.up != nil {
		if path = r.up.path(); path != "" {
			path += "."
		}
		path += r.part
		if r.index >= 0 {
			path += "[" + strconv.Itoa(r.index) + "]"
		}
	}
	if r.name != "" {
		path += " (" + strconv.Quote(r.name) + ")"
	}
	return path
}

// fail panics with an error that has the path of the reader's message.
func (r *reader) fail(format string, args ...any) {
	at := r.path()
	if at != "" {
		at += ": "
	}
	panic(&core.Error{Kind: core.ErrParse, Op: "onnx", Msg: at + fmt.Sprintf(format, args...)})
}

// within returns a reader of the message in the named field, which is valid until the next call of within or item on r.
func (r *reader) within(part string) *reader { return r.item(part, -1) }

// item is within for element i of a repeated field.
func (r *reader) item(list string, i int) *reader {
	if r.depth == len(r.file.readers) {
		r.file.readers = append(r.file.readers, new(reader))
	}
	s := r.file.readers[r.depth]
	*s = reader{file: r.file, up: r, part: list, index: i, depth: r.depth + 1}
	if s.depth > maxDepth {
		s.fail("messages nest more than %d deep; no exporter writes such a file", maxDepth)
	}
	return s
}

// A field is one field of a message: its number, its type in the file, and its value.
type field struct {
	r    *reader
	num  protowire.Number
	kind protowire.Type
	bits uint64 // of numbers
	data []byte // of everything else
}

func (r *reader) fields(msg []byte, f func(field)) {
	for len(msg) > 0 {
		num, kind, n := protowire.ConsumeTag(msg)
		if n < 0 {
			r.fail("not a protobuf message (%v); is this an ONNX file, and is it complete?", protowire.ParseError(n))
		}
		msg = msg[n:]
		x := field{r: r, num: num, kind: kind}
		switch kind {
		case protowire.VarintType:
			x.bits, n = protowire.ConsumeVarint(msg)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(msg)
			x.bits = uint64(v)
		case protowire.Fixed64Type:
			x.bits, n = protowire.ConsumeFixed64(msg)
		case protowire.BytesType:
			x.data, n = protowire.ConsumeBytes(msg)
		default: // groups, which the format does not use
			n = protowire.ConsumeFieldValue(num, kind, msg)
		}
		if n < 0 {
			r.fail("field %d is damaged (%v); is the file complete?", num, protowire.ParseError(n))
		}
		msg = msg[n:]
		f(x)
	}
}

// need refuses a field of any other wire type than the given ones.
func (f field) need(kinds ...protowire.Type) {
	for _, k := range kinds {
		if f.kind == k {
			return
		}
	}
	f.r.fail("field %d has wire type %d, want %d; this is not an ONNX file, or it is damaged", f.num, f.kind, kinds[0])
}

func (f field) int() int64 {
	f.need(protowire.VarintType)
	return int64(f.bits)
}

func (f field) float() float32 {
	f.need(protowire.Fixed32Type)
	return math.Float32frombits(uint32(f.bits))
}

func (f field) bytes() []byte {
	f.need(protowire.BytesType)
	return f.data
}

func (f field) text() string { return string(f.bytes()) }

// ints appends the field's integers, packed or not.
func (f field) ints(to []int64) []int64 {
	if f.kind != protowire.BytesType {
		return append(to, f.int())
	}
	if to == nil {
		count := 0
		for _, b := range f.data {
			count += 1 - int(b>>7) // the last byte of a number
		}
		to = make([]int64, 0, count)
	}
	for b := f.data; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			f.r.fail("field %d is damaged (%v); export the model again", f.num, protowire.ParseError(n))
		}
		to, b = append(to, int64(v)), b[n:]
	}
	return to
}

// words32 appends the field's numbers of 32 bits, packed or not.
func (f field) words32(to []uint32) []uint32 {
	if f.kind != protowire.BytesType {
		f.need(protowire.Fixed32Type)
		return append(to, uint32(f.bits))
	}
	for b := f.data; len(b) > 0; {
		v, n := protowire.ConsumeFixed32(b)
		if n < 0 {
			f.r.fail("field %d has %d bytes, no multiple of 4; export the model again", f.num, len(f.data))
		}
		to, b = append(to, v), b[n:]
	}
	return to
}

// words64 appends the field's numbers of 64 bits, packed or not.
func (f field) words64(to []uint64) []uint64 {
	if f.kind != protowire.BytesType {
		f.need(protowire.Fixed64Type)
		return append(to, f.bits)
	}
	for b := f.data; len(b) > 0; {
		v, n := protowire.ConsumeFixed64(b)
		if n < 0 {
			f.r.fail("field %d has %d bytes, no multiple of 8; export the model again", f.num, len(f.data))
		}
		to, b = append(to, v), b[n:]
	}
	return to
}
