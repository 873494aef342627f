package stablehlo

import (
	"bytes"
	enc "encoding/binary"
	"unsafe"
)

// Read reads a module from a file: a text, bytecode of a portable artifact, or the output of jax.export's serialization,
// which contains bytecode.
func Read(name, file string) (*Module, error) {
	if code, ok := bytecodeIn(file); ok {
		return readBytecode(name, code)
	}
	return Parse(name, file)
}

// ReadAll reads the modules of a file: text may be split by lines // -----.
func ReadAll(name, file string) ([]*Module, error) {
	if code, ok := bytecodeIn(file); ok {
		m, err := readBytecode(name, code)
		if err != nil {
			return nil, err
		}
		return []*Module{m}, nil
	}
	return ParseAll(name, file)
}

// bytecodeIn returns the bytecode of a file. jax.export serializes a table of FlatBuffers
// whose field 13 is the bytecode: offsets of 32 bits lead to the table, from there to the
// list of its fields' offsets, each of 16 bits, and from the field to the bytes.
func bytecodeIn(text string) (code []byte, ok bool) {
	file := unsafe.Slice(unsafe.StringData(text), len(text))
	if bytes.HasPrefix(file, bytecodeMagic) {
		return file, true
	}
	u32 := func(at int) (int, bool) {
		if at < 0 || at > len(file)-4 {
			return 0, false
		}
		return int(enc.LittleEndian.Uint32(file[at:])), true
	}
	table, ok := u32(0)
	if !ok {
		return nil, false
	}
	back, ok := u32(table)
	fields := table - int(int32(back))
	const slot = 4 + 2*13
	if !ok || fields < 0 || fields > len(file)-slot-2 || int(enc.LittleEndian.Uint16(file[fields:])) < slot+2 {
		return nil, false
	}
	field := table + int(enc.LittleEndian.Uint16(file[fields+slot:]))
	to, ok := u32(field)
	if !ok || field == table {
		return nil, false
	}
	n, ok := u32(field + to)
	if start := field + to + 4; ok && n <= len(file)-start && bytes.HasPrefix(file[start:start+n], bytecodeMagic) {
		return file[start : start+n], true
	}
	return nil, false
}

// IsDynamic reports whether an argument of a function has a dimension of unknown size.
func IsDynamic(f *Func) bool {
	for _, a := range f.Args {
		if a.Type.Dynamic() {
			return true
		}
	}
	return false
}

// Calls reports whether an operation of the module names f: a call, a composite as its decomposition, or a custom call.
func (m *Module) Calls(f *Func) bool {
	m.once.Do(func() {
		m.called = map[string]bool{}
		for _, g := range m.Funcs {
			m.noteCalls(g.body)
		}
	})
	return m.called[f.Name]
}

func (m *Module) noteCalls(r *region) {
	if r == nil {
		return
	}
	for _, o := range r.ops {
		for _, key := range []string{"callee", "decomposition", "called_computations"} {
			a, _ := o.attr(key)
			names, ok := a.(listAttr)
			if !ok {
				names = listAttr{a}
			}
			for _, a := range names {
				switch name := a.(type) {
				case symbolAttr:
					m.called[string(name)] = true
				case stringAttr:
					m.called[string(name)] = true
				}
			}
		}
		for _, inner := range o.regions {
			m.noteCalls(inner)
		}
	}
}
