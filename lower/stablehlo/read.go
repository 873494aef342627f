package stablehlo

import (
	"bytes"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// bytecodeMagic begins a file of MLIR's bytecode.
var bytecodeMagic = []byte("ML\xefR")

// Read reads a module from a file, text or bytecode. The file must not change afterwards.
func Read(name string, file []byte) (*Module, error) {
	if bytes.HasPrefix(file, bytecodeMagic) {
		return nil, &core.Error{Kind: core.ErrParse, Op: "stablehlo", Msg: name + ": MLIR bytecode is not supported; export the module as text"}
	}
	return Parse(name, unsafe.String(unsafe.SliceData(file), len(file)))
}
