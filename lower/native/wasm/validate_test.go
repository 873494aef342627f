package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// A validator decodes a module of the kind that this package writes and checks the types of its
// instructions, as engines do.
type validator struct {
	b       []byte
	types   [][2]string // parameters and results, a letter each
	funcs   []int       // types of functions
	globals int
}

// letters of value types.
var letters = map[byte]string{typeI32: "i", typeI64: "l", typeV128: "v", 0x7c: "d"}

func (v *validator) byte() byte {
	if len(v.b) == 0 {
		panic(errors.New("the module ends early"))
	}
	c := v.b[0]
	v.b = v.b[1:]
	return c
}

func (v *validator) take(n int) []byte {
	if n > len(v.b) {
		panic(errors.New("the module ends early"))
	}
	b := v.b[:n]
	v.b = v.b[n:]
	return b
}

func (v *validator) uint() int {
	n, k := binary.Uvarint(v.b)
	if k <= 0 || n > 1<<32-1 {
		panic(errors.New("no number of 32 bits"))
	}
	v.b = v.b[k:]
	return int(n)
}

// int reads a number with a sign of at most a number of bits.
func (v *validator) int(bits int) {
	for i := 0; ; i += 7 {
		c := v.byte()
		if i >= bits {
			panic(fmt.Errorf("a number of more than %d bits", bits))
		}
		if c < 0x80 {
			return
		}
	}
}

func (v *validator) valueType() string {
	c := v.byte()
	l, ok := letters[c]
	if !ok {
		panic(fmt.Errorf("type %#x", c))
	}
	return l
}

func (v *validator) valueTypes() (s string) {
	for range v.uint() {
		s += v.valueType()
	}
	return s
}

// validate returns what is wrong with a module, nil if nothing is.
func validate(module []byte) (err error) {
	v := &validator{b: module}
	defer func() {
		if e, ok := recover().(error); ok {
			err = e
		}
	}()
	if string(v.take(8)) != header {
		return errors.New("no module")
	}
	bodies := 0
	for len(v.b) > 0 {
		id, n := v.byte(), v.uint()
		rest := v.take(n)
		rest, v.b = v.b, rest
		v.section(id, &bodies)
		if len(v.b) > 0 {
			return fmt.Errorf("section %d has %d bytes more", id, len(v.b))
		}
		v.b = rest
	}
	if bodies != len(v.funcs) || bodies == 0 {
		return fmt.Errorf("%d functions have %d bodies", len(v.funcs), bodies)
	}
	return nil
}

func (v *validator) section(id byte, bodies *int) {
	switch id {
	case sectionCustom:
		v.b = nil
	case sectionType:
		for range v.uint() {
			if v.byte() != 0x60 {
				panic(errors.New("no type of a function"))
			}
			v.types = append(v.types, [2]string{v.valueTypes(), v.valueTypes()})
		}
	case sectionImport:
		for range v.uint() {
			v.take(v.uint())
			v.take(v.uint())
			switch kind := v.byte(); kind {
			case 2:
				v.take(2)
			case 3:
				v.take(2)
				v.globals++
			default:
				panic(fmt.Errorf("import of kind %d", kind))
			}
		}
	case sectionFunction:
		for range v.uint() {
			v.funcs = append(v.funcs, v.uint())
		}
	case sectionExport:
		if want := append([]byte{1, byte(len(Export))}, Export+"\x00\x00"...); !bytes.Equal(v.b, want) {
			panic(errors.New("the first function is not exported"))
		}
		v.b = nil
	case sectionCode:
		for range v.uint() {
			n := v.uint()
			body := v.take(n)
			rest := v.b
			v.b = body
			v.body(v.types[v.funcs[*bodies]])
			v.b = rest
			*bodies++
		}
	default:
		panic(fmt.Errorf("section %d", id))
	}
}

// A frame is a block that is open.
type frame struct {
	op     byte
	result string
	height int
	dead   bool // what follows is not reached: its operands are of any type
}

// body checks a function.
func (v *validator) body(signature [2]string) {
	locals := signature[0]
	for range v.uint() {
		n := v.uint()
		for t := v.valueType(); n > 0; n-- {
			locals += t
		}
	}
	var stack []byte
	frames := []frame{{op: opBlock, result: signature[1]}}
	push := func(s string) { stack = append(stack, s...) }
	pop := func(s string, what string) {
		f := &frames[len(frames)-1]
		for i := len(s) - 1; i >= 0; i-- {
			if len(stack) == f.height && f.dead {
				continue
			}
			if len(stack) <= f.height || stack[len(stack)-1] != s[i] {
				panic(fmt.Errorf("%s: the stack has %q, want %q", what, stack[f.height:], s))
			}
			stack = stack[:len(stack)-1]
		}
	}
	dead := func() {
		f := &frames[len(frames)-1]
		stack, f.dead = stack[:f.height], true
	}
	label := func() string {
		n := v.uint()
		if n >= len(frames) {
			panic(errors.New("a jump out of the function"))
		}
		if f := frames[len(frames)-1-n]; f.op != opLoop {
			return f.result
		}
		return ""
	}
	end := func() frame {
		f := frames[len(frames)-1]
		pop(f.result, "end")
		if len(stack) != f.height {
			panic(errors.New("the stack has more than a block's result at its end"))
		}
		frames = frames[:len(frames)-1]
		return f
	}
	for len(frames) > 0 {
		op := v.byte()
		info := &plainTable[op]
		switch op {
		case opBlock, opLoop, opIf:
			pop(info.params, info.name)
			result := ""
			if v.b[0] == typeEmpty {
				v.byte()
			} else {
				result = v.valueType()
			}
			frames = append(frames, frame{op: op, result: result, height: len(stack)})
		case opElse:
			f := end()
			if f.op != opIf {
				panic(errors.New("else without if"))
			}
			frames = append(frames, frame{op: opElse, result: f.result, height: len(stack)})
		case opEnd:
			f := end()
			if f.op == opIf && f.result != "" {
				panic(errors.New("a choice with a result has no else"))
			}
			push(f.result)
		case opBr:
			pop(label(), info.name)
			dead()
		case opBrIf:
			pop("i", info.name)
			r := label()
			pop(r, info.name)
			push(r)
		case opReturn:
			pop(signature[1], info.name)
			dead()
		case opCall:
			t := v.types[v.funcs[v.uint()]]
			pop(t[0], info.name)
			push(t[1])
		case opLocalGet, opLocalSet, opLocalTee:
			t := locals[v.uint():][:1]
			if op != opLocalGet {
				pop(t, info.name)
			}
			if op != opLocalSet {
				push(t)
			}
		case opGlobalGet:
			if v.uint() >= v.globals {
				panic(errors.New("no such global"))
			}
			push("i")
		case i32Const:
			v.int(32)
			push("i")
		case i64Const:
			v.int(64)
			push("l")
		case vectorPrefix:
			n := v.uint()
			if n >= len(opTable) || opTable[n].name == "" {
				panic(fmt.Errorf("vector instruction %#x", n))
			}
			info := &opTable[n]
			switch info.imm {
			case lane:
				v.lane(info)
			case memory:
				v.uint()
				v.uint()
			case memoryLane:
				v.uint()
				v.uint()
				v.lane(info)
			case shuffle:
				for _, c := range v.take(16) {
					if c >= 32 && Op(n)+vectorOps == i8x16Shuffle {
						panic(errors.New("a shuffle of more than two vectors"))
					}
				}
			}
			pop(info.params, info.name)
			push(info.result)
		case satPrefix:
			if n := v.uint(); n != int(truncSatF64S) && n != int(truncSatF64U) {
				panic(fmt.Errorf("saturating instruction %#x", n))
			}
			pop("d", "trunc_sat")
			push("l")
		default:
			if info.name == "" {
				panic(fmt.Errorf("instruction %#x", op))
			}
			if op >= i32Load && op <= i64Store32 {
				v.uint()
				v.uint()
			}
			pop(info.params, info.name)
			push(info.result)
		}
	}
	if len(v.b) > 0 {
		panic(errors.New("instructions behind the end"))
	}
}

// lane checks the number of a lane: the instruction's name has the size of one.
func (v *validator) lane(info *opInfo) {
	n := 16
	for _, s := range []struct {
		text  string
		lanes int
	}{{"x8.", 8}, {"x4.", 4}, {"x2.", 2}, {"16_lane", 8}, {"32_lane", 4}, {"64_lane", 2}} {
		if bytes.Contains([]byte(info.name), []byte(s.text)) {
			n = s.lanes
		}
	}
	if c := v.byte(); int(c) >= n {
		panic(fmt.Errorf("%s: lane %d of %d", info.name, c, n))
	}
}
