package stablehlo

import (
	"encoding/hex"
	"slices"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// dense is the elements of a constant, as they stand in the file.
type dense struct {
	pos      int    // offset in the file, for messages
	lit      string // between dense< and >
	litPos   int
	resource string // the name of a resource in the place of lit
	raw      []byte // little-endian elements in the place of lit; one of them if splat
	splat    bool
	packed   bool // raw bools are bits
	typ      Type
}

// dense reads what follows the word dense.
func (s *scanner) dense(at int) attr {
	s.expect("<")
	d := &dense{pos: at}
	s.blanks()
	d.litPos = s.pos
	if s.pos < len(s.text) && s.text[s.pos] == '"' {
		i := strings.IndexByte(s.text[s.pos+1:], '"')
		if i < 0 {
			s.failf(s.pos, "a string does not end; close it with a quotation mark")
		}
		d.lit = s.text[s.pos : s.pos+i+2]
		s.pos += i + 2
		s.expect(">")
	} else {
		i := strings.IndexByte(s.text[s.pos:], '>')
		if i < 0 {
			s.failf(at, "the bracket \"<\" of dense is not closed; write > behind the elements")
		}
		d.lit = strings.TrimRight(s.text[s.pos:s.pos+i], " \n\t\r")
		s.pos += i + 1
	}
	s.expect(":")
	d.typ = s.typ()
	return denseAttr{d}
}

func (d *dense) aval(src *source) core.ShapedArray {
	a, ok := d.typ.Aval()
	if !ok {
		src.fail(d.pos, core.ErrDType, "stablehlo.constant", "%s", unsupportedType(d.typ))
	}
	if a.Size() < 0 {
		src.fail(d.pos, core.ErrShape, "stablehlo.constant", "too many elements: %v; split the constant", a)
	}
	return a
}

// isSplat reports whether one element stands for all. It reports false for elements in hexadecimal text, see fill.
func (d *dense) isSplat() bool {
	if d.raw != nil {
		return d.splat
	}
	if d.resource != "" || d.lit == "" {
		return false
	}
	if d.lit[0] == '"' {
		return false
	}
	return d.lit[0] != '['
}

// one decodes the element of a splat.
func (d *dense) one(src *source) [16]byte {
	var buf [16]byte
	dt := d.aval(src).DType
	if d.raw != nil {
		if dt.IsBool() {
			buf[0] = d.raw[0] & 1
		} else {
			copy(buf[:], d.raw)
			native(buf[:dt.Size()], dt)
		}
		return buf
	}
	p := denseReader{src: src, lit: d.lit, base: d.litPos, dt: dt, size: dt.Size()}
	p.dst = buf[:dt.Size()]
	p.element()
	p.end()
	return buf
}

// resourceHead is how many bytes of a resource state its alignment.
const resourceHead = 4

// literal returns the text of the elements, or of the resource that contains them, and the text's
// offset.
func (d *dense) literal(m *Module) (lit string, at int) {
	if d.resource == "" {
		return d.lit, d.litPos
	}
	r, ok := m.resources[d.resource]
	switch {
	case d.resource == "__elided__":
		m.src.fail(d.pos, core.ErrParse, "stablehlo.constant", "the elements were left out when the module was printed; print it without a limit on elements")
	case !ok:
		m.src.fail(d.pos, core.ErrParse, "stablehlo.constant", "the file has no resource %s; add it to dialect_resources at the end of the file, or print the elements in place", d.resource)
	}
	return r.lit, r.pos
}

// memory returns the elements that were decoded while the text was read, if an array can use
// their memory as it is; else nil.
func (d *dense) memory(m *Module) []byte {
	if d.raw != nil || d.isSplat() {
		return nil
	}
	a := d.aval(m.src)
	lit, at := d.literal(m)
	body, ok := strings.CutPrefix(lit, blobHead)
	if !ok || bigEndian || a.DType.IsBool() || a.DType.Bits() < 8 {
		return nil
	}
	b := m.src.blobAt(at, strings.TrimSuffix(body, `"`))
	if b == nil {
		return nil
	}
	data := b.data
	if d.resource != "" {
		data = data[resourceHead:]
	}
	if len(data) != a.Size()*a.DType.Size() || len(data) == 0 || uintptr(unsafe.Pointer(&data[0]))%alignment != 0 {
		return nil
	}
	return data
}

func (d *dense) fill(m *Module, dst []byte) {
	src := m.src
	a := d.aval(src)
	dt, size := a.DType, a.DType.Size()
	if d.isSplat() {
		one := d.one(src)
		for i := 0; i < len(dst); i += size {
			copy(dst[i:i+size], one[:])
		}
		return
	}
	if d.raw != nil {
		d.fillRaw(src, d.raw, dst, dt)
		return
	}
	lit, at := d.literal(m)
	if lit != "" && lit[0] == '"' {
		body, ok := strings.CutPrefix(lit[1:len(lit)-1], "0x")
		if !ok {
			src.fail(at, core.ErrParse, "stablehlo.constant", "expected 0x and hexadecimal digits in quotes")
		}
		if b := src.blobAt(at, body); b != nil {
			data := b.data
			if d.resource != "" {
				data = data[resourceHead:]
			}
			if len(data) != len(dst) {
				src.fail(at, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes, %v has %d; correct the type or the elements", len(data), a, len(dst))
			}
			copy(dst, data)
			native(dst, dt)
			d.checkBools(src, dst, dt)
			return
		}
		if d.resource != "" {
			if len(body) < 8 {
				src.fail(at, core.ErrParse, "stablehlo.constant", "a resource begins with four bytes of alignment; write them before the elements, as 0x04000000")
			}
			body = body[8:]
		}
		if len(body) == 2*size && a.Size() != 1 && d.resource == "" { // one element stands for all
			if _, err := hex.Decode(dst[:min(size, len(dst))], []byte(body)[:2*min(size, len(dst))]); err != nil {
				src.fail(at, core.ErrParse, "stablehlo.constant", "not hexadecimal digits: %v; write two of 0–9 and A–F for each byte", err)
			}
			if len(dst) == 0 {
				return
			}
			native(dst[:size], dt)
			d.checkBools(src, dst[:size], dt)
			for i := size; i < len(dst); i += size {
				copy(dst[i:i+size], dst[:size])
			}
			return
		}
		if len(body) != 2*len(dst) {
			src.fail(at, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes, %v has %d; correct the type or the elements", len(body)/2, a, len(dst))
		}
		if bad := decodeHex(dst, body); bad >= 0 {
			src.fail(at+3+bad, core.ErrParse, "stablehlo.constant", "%q is not a hexadecimal digit; write two of 0–9 and A–F for each byte", body[bad])
		}
		native(dst, dt)
		d.checkBools(src, dst, dt)
		return
	}
	p := denseReader{src: src, lit: lit, base: at, dt: dt, size: size, dst: dst, dims: d.typ.dims}
	if lit == "" {
		if a.Size() != 0 {
			p.fail("no elements: %v has %d; write them between dense< and >", a, a.Size())
		}
		return
	}
	p.list(0)
	p.end()
}

func (d *dense) checkBools(src *source, dst []byte, dt core.DType) {
	if !dt.IsBool() {
		return
	}
	for i, b := range dst {
		if b == 0xff {
			dst[i] = 1
		} else if b > 1 {
			src.fail(d.pos, core.ErrParse, "stablehlo.constant", "element %d of the booleans is %#x; write 00 or 01", i, b)
		}
	}
}

// fillRaw copies little-endian elements, or truth values of one bit each, from raw to dst.
func (d *dense) fillRaw(src *source, raw, dst []byte, dt core.DType) {
	if dt.IsBool() && d.packed {
		if len(raw) != (len(dst)+7)/8 {
			src.fail(d.pos, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes of bits, %v has %d elements; export the module again", len(raw), d.typ, len(dst))
		}
		for i := range dst {
			dst[i] = raw[i/8] >> (i % 8) & 1
		}
		return
	}
	if len(raw) != len(dst) {
		src.fail(d.pos, core.ErrParse, "stablehlo.constant", "wrong number of elements: got %d bytes, %v has %d; correct the type or the elements", len(raw), d.typ, len(dst))
	}
	copy(dst, raw)
	native(dst, dt)
	d.checkBools(src, dst, dt)
}

// hexDigit maps hexadecimal digits to their values and all other bytes to 0xff.
var hexDigit = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i := range 10 {
		t['0'+i] = byte(i)
	}
	for i := range 6 {
		t['a'+i], t['A'+i] = byte(10+i), byte(10+i)
	}
	return t
}()

// decodeHex decodes digits. It returns the offset of the first character that is not a digit, or −1.
func decodeHex[T string | []byte](dst []byte, digits T) int {
	for i := range dst {
		hi, lo := hexDigit[digits[2*i]], hexDigit[digits[2*i+1]]
		if hi|lo == 0xff {
			if hi == 0xff {
				return 2 * i
			}
			return 2*i + 1
		}
		dst[i] = hi<<4 | lo
	}
	return -1
}

// native turns little-endian elements into the order of the host's memory. The bytes of integers that are narrower
// have no sign in files: −2 of i4 is 0e.
func native(b []byte, dt core.DType) {
	size := dt.Size()
	if free := 8 - dt.Bits(); free > 0 && dt.IsSigned() {
		for i, x := range b {
			b[i] = byte(int8(x<<free) >> free)
		}
		return
	}
	if dt.IsComplex() {
		size /= 2
	}
	if size == 1 || !bigEndian {
		return
	}
	for i := 0; i+size <= len(b); i += size {
		slices.Reverse(b[i : i+size])
	}
}
