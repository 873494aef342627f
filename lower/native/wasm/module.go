package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// A module has one kernel. It imports the memory in which its arguments lie, and the address of its
// constants, which are a section of their own.
const (
	// ImportModule is the name of the module that both imports come from.
	ImportModule = "weft"
	// ImportMemory is the name of the memory.
	ImportMemory = "memory"
	// ImportConstants is the name of the address of the constants, an i32.
	ImportConstants = "constants"
	// Export is the name of the kernel: a function of the address of its arguments, an i32.
	Export = "kernel"

	constantsSection = "weft.constants"
)

type function struct {
	params, results []byte // types
	code            []byte // locals and instructions
}

// Numbers of the kinds of sections.
const (
	sectionCustom   = 0
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionExport   = 7
	sectionCode     = 10
)

const header = "\x00asm\x01\x00\x00\x00"

// moduleOf returns a module whose first function is exported, and the length of its code.
func moduleOf(fs []function, constants []byte) (module []byte, size int) {
	m := []byte(header)
	section := func(id byte, content []byte) {
		m = append(m, id)
		m = appendUint(m, uint64(len(content)))
		m = append(m, content...)
	}
	var types, functions, code []byte
	var known [][]byte
	for i := range fs {
		f := &fs[i]
		t := appendUint([]byte{0x60}, uint64(len(f.params)))
		t = append(t, f.params...)
		t = appendUint(t, uint64(len(f.results)))
		t = append(t, f.results...)
		at := 0
		for at < len(known) && !bytes.Equal(known[at], t) {
			at++
		}
		if at == len(known) {
			known = append(known, t)
			types = append(types, t...)
		}
		functions = appendUint(functions, uint64(at))
		code = appendUint(code, uint64(len(f.code)))
		code = append(code, f.code...)
	}
	counted := func(n int, content []byte) []byte { return append(appendUint(nil, uint64(n)), content...) }
	section(sectionType, counted(len(known), types))
	imports := appendString(appendString(nil, ImportModule), ImportMemory)
	imports = append(imports, 2, 0, 0) // a memory of at least 0 pages
	imports = appendString(appendString(imports, ImportModule), ImportConstants)
	imports = append(imports, 3, typeI32, 0) // a global that does not change
	section(sectionImport, counted(2, imports))
	section(sectionFunction, counted(len(fs), functions))
	section(sectionExport, counted(1, append(appendString(nil, Export), 0, 0)))
	section(sectionCode, counted(len(fs), code))
	if len(constants) > 0 {
		section(sectionCustom, append(appendString(nil, constantsSection), constants...))
	}
	return m, len(code)
}

var errNoModule = errors.New("wasm: the code is no module of a kernel; load what the code generator returned for SIMD128")

// Constants returns the constants of a module that this package wrote, to be placed at a multiple of 64.
func Constants(module []byte) ([]byte, error) {
	if len(module) < len(header) {
		return nil, errNoModule
	}
	for rest := module[len(header):]; len(rest) > 0; {
		id := rest[0]
		n, k := binary.Uvarint(rest[1:])
		if k <= 0 || n > uint64(len(rest)-1-k) {
			return nil, errNoModule
		}
		content := rest[1+k:][:n]
		rest = rest[1+k+int(n):]
		if name := appendString(nil, constantsSection); id == sectionCustom && bytes.HasPrefix(content, name) {
			return content[len(name):], nil
		}
	}
	return nil, nil
}
