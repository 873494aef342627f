package onnx

import (
	"math"
	"path"
	"strconv"
	"strings"
)

// An Opener returns the bytes of a file in the model's folder. The name is a slash-separated
// path below it.
type Opener func(name string) ([]byte, error)

// external returns the data of a tensor, size bytes, from an external file.
func (r *reader) external(entries map[string]string, size int) []byte {
	name := entries["location"]
	if name == "" {
		r.fail("external_data names no location; export the model again")
	}
	if clean := path.Clean(name); strings.HasPrefix(name, "/") || strings.Contains(name, `\`) || strings.Contains(name, ":") || clean == ".." || strings.HasPrefix(clean, "../") || clean == "." {
		r.fail("external_data names %q, which is not in the model's folder; export the model again", name)
	}
	number := func(key string, none int64) int64 {
		text, ok := entries[key]
		if !ok {
			return none
		}
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < 0 {
			r.fail("external_data has the %s %q, which is no size; export the model again", key, text)
		}
		return v
	}
	offset, length := number("offset", 0), number("length", -1)
	if length >= 0 && length != int64(size) {
		r.fail("external_data has %d bytes, the tensor takes %d; export the model again", length, size)
	}
	if r.file.open == nil {
		r.fail("the tensor's data is in the file %q beside the model, which was read from a stream; load the model by its path", name)
	}
	data, err := r.file.open(path.Clean(name))
	if err != nil {
		r.fail("the file %q with the tensor's data cannot be read: %v", name, err)
	}
	if offset > math.MaxInt64-int64(size) || offset+int64(size) > int64(len(data)) {
		r.fail("the file %q has %d bytes, the tensor is at %d and takes %d; export the model again", name, len(data), offset, size)
	}
	if length < 0 && offset+int64(size) != int64(len(data)) {
		r.fail("the file %q has %d bytes behind offset %d, the tensor takes %d; state its length", name, int64(len(data))-offset, offset, size)
	}
	return data[offset : offset+int64(size) : offset+int64(size)]
}
