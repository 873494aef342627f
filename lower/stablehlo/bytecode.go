package stablehlo

import (
	"bytes"
	enc "encoding/binary"
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// MLIR's bytecode is a magic number, a version, the producer's name, and sections:
// strings, names of dialects and operations, attributes and types, properties of
// operations, and the operations themselves.

var bytecodeMagic = []byte("ML\xefR")

// The sections of a file by their numbers.
const (
	sectionStrings = iota
	sectionDialects
	sectionAttributes
	sectionOffsets
	sectionIR
	sectionResources
	sectionResourceOffsets
	sectionDialectVersions
	sectionProperties
	sectionCount
)

var sectionNames = [sectionCount]string{"strings", "dialects", "attributes", "attribute offsets", "operations", "resources", "resource offsets", "dialect versions", "properties"}

// The versions of the format that change what is read.
const (
	versionedDialects = 1 // dialects have versions
	lazyRegions       = 2 // regions that capture nothing are sections
	useListOrders     = 3
	elidedLocations   = 4 // arguments of blocks may have no location
	nativeProperties  = 5
	newestBytecode    = 6
)

type bytecode struct {
	src      *source
	file     []byte
	version  int
	strings  []string
	dialects []string
	ops      []string // names with their dialect
	attrs    []entry
	types    []entry
	props    []span
	sections [sectionCount]span
	depth    int
}

type span struct{ start, end int }

// entry is an attribute or a type, decoded when it is first used.
type entry struct {
	at      span
	dialect string
	custom  bool // in the dialect's own encoding, not as text
	state   uint8
	weight  int // number of attributes and types within it, itself included
	attr    attr
	typ     Type
}

const (
	entryNew = iota
	entryOpen
	entryDone
)

// cursor reads numbers and references from a part of the file.
type cursor struct {
	b       *bytecode
	section string
	pos     int
	end     int
}

func (b *bytecode) cursor(at span, section string) *cursor {
	return &cursor{b: b, section: section, pos: at.start, end: at.end}
}

func (c *cursor) failf(format string, args ...any) {
	c.b.src.fail(c.pos, core.ErrParse, "stablehlo", format, args...)
}

func (c *cursor) byte() byte {
	if c.pos >= c.end {
		c.damaged("the section %s ends too early", c.section)
	}
	c.pos++
	return c.b.file[c.pos-1]
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > c.end-c.pos {
		c.damaged("the section %s ends too early: %d more bytes are needed, it has %d", c.section, n, c.end-c.pos)
	}
	c.pos += n
	return c.b.file[c.pos-n : c.pos : c.pos]
}

// varint reads a number. The number of trailing zeros of its first byte is the number of bytes that follow.
func (c *cursor) varint() uint64 {
	first := c.byte()
	if first&1 == 1 {
		return uint64(first >> 1)
	}
	n := bits.TrailingZeros8(first)
	var buf [8]byte
	if n == 8 {
		copy(buf[:], c.take(8))
		return enc.LittleEndian.Uint64(buf[:])
	}
	buf[0] = first
	copy(buf[1:], c.take(n))
	return enc.LittleEndian.Uint64(buf[:]) >> (n + 1)
}

// flagged reads a number whose lowest bit is a flag.
func (c *cursor) flagged() (uint64, bool) {
	v := c.varint()
	return v >> 1, v&1 == 1
}

// signed reads a number in zigzag encoding.
func (c *cursor) signed() int64 {
	v := c.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// count reads how many things follow; each takes at least one byte.
func (c *cursor) count(what string) int {
	n := c.varint()
	if n > uint64(c.end-c.pos) {
		c.damaged("%d %s do not fit the section %s, which has %d more bytes", n, what, c.section, c.end-c.pos)
	}
	return int(n)
}

// index reads a reference into a list of n.
func (c *cursor) index(n int, what string) int {
	v := c.varint()
	if v >= uint64(n) {
		c.damaged("reference to %s %d of %d", what, v, n)
	}
	return int(v)
}

func (c *cursor) string() string { return c.b.strings[c.index(len(c.b.strings), "string")] }

// text reads bytes up to a zero as text.
func (c *cursor) text() string {
	n := bytes.IndexByte(c.b.file[c.pos:c.end], 0)
	if n < 0 {
		c.damaged("a name does not end")
	}
	t := viewString(c.take(n))
	c.pos++
	return t
}

// viewString returns b as a string that shares its memory.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func readBytecode(name string, file []byte) (m *Module, err error) {
	b := &bytecode{file: file}
	b.src = &source{name: name, bin: b}
	defer guard(&err)
	err = core.Catch(func() {
		b.header()
		b.readStrings()
		b.readDialects()
		b.readOffsets()
		b.readProperties()
		m = b.module()
	})
	return m, err
}

// header finds the sections.
func (b *bytecode) header() {
	c := b.cursor(span{0, len(b.file)}, "header")
	c.take(len(bytecodeMagic))
	v := c.varint()
	if v > newestBytecode {
		c.failf("version %d of MLIR's bytecode is newer than this reader, which reads up to %d; serialize for an older version of StableHLO", v, newestBytecode)
	}
	b.version = int(v)
	c.text() // the producer
	for c.pos < c.end {
		id, body := c.readSection()
		if b.sections[id].end != 0 {
			c.damaged("there are two sections %s", sectionNames[id])
		}
		b.sections[id] = body
	}
	for _, id := range []int{sectionStrings, sectionDialects, sectionAttributes, sectionOffsets, sectionIR} {
		if b.sections[id].end == 0 {
			c.damaged("the section %s is missing", sectionNames[id])
		}
	}
}

func (c *cursor) readSection() (id int, body span) {
	first := c.byte()
	if id = int(first & 0x7f); id >= sectionCount {
		c.newer("there is no section %d", id)
	}
	n := c.varint()
	if first&0x80 != 0 {
		a := c.varint()
		if a == 0 || a&(a-1) != 0 || a > 1<<20 {
			c.damaged("a section cannot be aligned to %d", a)
		}
		for c.pos < c.end && uint64(c.pos)%a != 0 { // offsets count from the start of the file
			c.byte()
		}
	}
	if n > uint64(c.end-c.pos) {
		c.damaged("the section %s has %d bytes, the file has %d more", sectionNames[id], n, c.end-c.pos)
	}
	body = span{c.pos, c.pos + int(n)}
	c.pos = body.end
	return id, body
}

// readStrings reads the strings: their lengths from the last to the first, then their bytes.
func (b *bytecode) readStrings() {
	c := b.cursor(b.sections[sectionStrings], sectionNames[sectionStrings])
	n := c.count("strings")
	lengths := make([]int, n)
	for i := n - 1; i >= 0; i-- {
		lengths[i] = c.count("bytes of a string")
	}
	b.strings = make([]string, n)
	for i, k := range lengths {
		if k == 0 {
			c.damaged("string %d does not end with a zero", i)
		}
		b.strings[i] = viewString(c.take(k)[:k-1])
	}
}

func (b *bytecode) readDialects() {
	c := b.cursor(b.sections[sectionDialects], sectionNames[sectionDialects])
	b.dialects = make([]string, c.count("dialects"))
	for i := range b.dialects {
		if b.version < versionedDialects {
			b.dialects[i] = c.string()
			continue
		}
		k, versioned := c.flagged()
		if k >= uint64(len(b.strings)) {
			c.damaged("reference to string %d of %d", k, len(b.strings))
		}
		b.dialects[i] = b.strings[k]
		if versioned {
			c.readSection()
		}
	}
	if b.version >= elidedLocations {
		c.count("operations")
	}
	for c.pos < c.end {
		dialect := b.dialects[c.index(len(b.dialects), "dialect")]
		for range c.count("operations") {
			k := c.varint()
			if b.version >= nativeProperties {
				k >>= 1 // the lowest bit reports whether the operation is registered
			}
			if k >= uint64(len(b.strings)) {
				c.damaged("reference to string %d of %d", k, len(b.strings))
			}
			b.ops = append(b.ops, dialect+"."+b.strings[k])
		}
	}
}

// readOffsets finds the attributes and types in the file.
func (b *bytecode) readOffsets() {
	c := b.cursor(b.sections[sectionOffsets], sectionNames[sectionOffsets])
	attrs, types := c.count("attributes"), c.count("types")
	at := b.sections[sectionAttributes]
	read := func(n int, what string) []entry {
		list := make([]entry, 0, n)
		for len(list) < n {
			dialect := b.dialects[c.index(len(b.dialects), "dialect")]
			k := c.count(what)
			if k > n-len(list) {
				c.damaged("there are more than %d %s", n, what)
			}
			for range k {
				size, custom := c.flagged()
				if size > uint64(at.end-at.start) {
					c.damaged("an entry of %s has %d bytes, the section has %d more", what, size, at.end-at.start)
				}
				list = append(list, entry{at: span{at.start, at.start + int(size)}, dialect: dialect, custom: custom})
				at.start += int(size)
			}
		}
		return list
	}
	b.attrs = read(attrs, "attributes")
	b.types = read(types, "types")
}

// readProperties finds the properties of operations in the file.
func (b *bytecode) readProperties() {
	at := b.sections[sectionProperties]
	if at.end == 0 {
		return
	}
	c := b.cursor(at, sectionNames[sectionProperties])
	b.props = make([]span, c.count("properties"))
	for i := range b.props {
		n := c.count("bytes of properties")
		b.props[i] = span{c.pos, c.pos + n}
		c.pos += n
	}
}

// nest enters a nested construct; the function that it returns, deferred, leaves it.
func (b *bytecode) nest(c *cursor) func() {
	if b.depth++; b.depth > maxNesting {
		c.damaged("nested too deeply (more than %d levels)", maxNesting)
	}
	return func() { b.depth-- }
}

// sectionAt returns the name of the section that contains an offset, "header" if none does.
func (b *bytecode) sectionAt(offset int) string {
	for id, at := range b.sections {
		if offset >= at.start && offset < at.end {
			return sectionNames[id]
		}
	}
	return "header"
}

// locationAt describes the location of the operation at an offset, "" if it has none.
func (b *bytecode) locationAt(offset int) (text string) {
	at := b.sections[sectionIR]
	if offset < at.start || offset >= at.end {
		return ""
	}
	_ = core.Catch(func() {
		c := b.cursor(span{offset, at.end}, sectionNames[sectionIR])
		c.index(len(b.ops), "operation")
		c.byte()
		text = b.locationText(c.index(len(b.attrs), "attribute"))
	})
	return text
}

func (b *bytecode) locationText(k int) string {
	if l, ok := b.attr(k).(locAttr); ok {
		return l.String()
	}
	return ""
}

// locAttr is a location: a position in a file, or the name of an operation's origin.
type locAttr struct {
	file      string
	line, col int
	name      string
}

func (l locAttr) String() string {
	if l.file != "" {
		return fmt.Sprintf("%s:%d:%d", l.file, l.line, l.col)
	}
	return l.name
}
