package stablehlo

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// A text has two digits for each byte of a constant. They are decoded while the text is read, into memory that becomes
// the memory of the arrays. If the size of the text is known, it bounds the size of all constants, which are decoded into
// one arena. Otherwise a constant is collected in chunks until it ends, and then copied.

const (
	minBlob   = 1 << 12 // digits of the shortest constant that is decoded
	blobChunk = 1 << 20
	maxGrow   = 1 << 30 // at most this much memory is allocated because of the size that a reader reports
	alignment = 16      // of constants in the arena, in bytes
	blobHead  = `"0x`
)

// blob is a constant that was decoded while its text was read. The text has its number in its place: "0x@3".
type blob struct {
	data []byte
	at   int // offset of the quote in front
	cut  int // by how many characters the constant's number is shorter than the constant
}

// ReadFrom reads a module from r: see [Read]. name is that of the file, for messages.
func ReadFrom(name string, r io.Reader) (*Module, error) {
	src, file, err := readSource(name, r)
	switch {
	case err != nil:
		return nil, err
	case src == nil:
		return Read(name, file)
	}
	return parseOne(src)
}

// ReadAllFrom reads the modules of a file from r: see [ReadAll].
func ReadAllFrom(name string, r io.Reader) ([]*Module, error) {
	src, file, err := readSource(name, r)
	switch {
	case err != nil:
		return nil, err
	case src == nil:
		return ReadAll(name, file)
	}
	return parseAll(src)
}

// readSource reads a text, whose long constants it decodes, or else a file of bytes.
func readSource(name string, r io.Reader) (text *source, file string, err error) {
	size := sizeOf(r)
	all := bufio.NewReaderSize(r, 1<<16) // its reads fail if r returns nothing again and again
	head, err := all.Peek(8)
	if err != nil && err != io.EOF {
		return nil, "", err
	}
	if HasBytes(head) {
		file, err := readWhole(all, size)
		return nil, file, err
	}
	t := textReader{size: size}
	if err := t.read(all); err != nil {
		return nil, "", err
	}
	return &source{name: name, text: t.text.String(), blobs: t.blobs}, "", nil
}

// HasBytes reports whether a file that begins with head is bytecode or contains it: FlatBuffers begin with offsets, which
// have zero bytes; a text has none.
func HasBytes(head []byte) bool {
	return bytes.HasPrefix(head, bytecodeMagic) || bytes.IndexByte(head[:min(8, len(head))], 0) >= 0
}

// sizeOf returns how many bytes r has, at most maxGrow, or 0 if r does not report that.
func sizeOf(r io.Reader) int {
	switch f := r.(type) {
	case interface{ Len() int }:
		return max(0, min(f.Len(), maxGrow))
	case interface{ Size() int64 }:
		return int(max(0, min(f.Size(), maxGrow)))
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return int(max(0, min(info.Size(), maxGrow)))
		}
	}
	return 0
}

func readWhole(r io.Reader, size int) (string, error) {
	var b strings.Builder
	b.Grow(size)
	_, err := io.Copy(&b, r)
	return b.String(), err
}

// textReader splits a text into long constants and the text between them.
type textReader struct {
	size   int // of the text in characters, 0 if it is not known
	text   strings.Builder
	blobs  []blob
	head   int      // how many characters of blobHead were read
	digits []byte   // the digits after blobHead, as long as they are few
	blob   *blob    // the constant that is being read, once it has enough digits to be decoded
	chunks [][]byte // the bytes of blob
	nibble byte     // the first half of a byte
	half   bool     // nibble is set
	arena  []byte   // the constants that are complete; its capacity is the memory for more
	kept   []int    // indices of the blobs whose data is in the arena
	free   [][]byte // chunks of earlier constants
}

func (t *textReader) read(r io.Reader) error {
	buf := make([]byte, 1<<16)
	for {
		n, err := r.Read(buf)
		t.add(buf[:n])
		if err == io.EOF {
			t.end(0)
			t.trim()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *textReader) add(b []byte) {
	for len(b) > 0 {
		switch {
		case t.head == len(blobHead):
			n := 0
			for n < len(b) && hexDigit[b[n]] != 0xff {
				n++
			}
			t.hex(b[:n])
			if b = b[n:]; len(b) > 0 {
				t.end(b[0])
				t.text.WriteByte(b[0]) // a quote that closes opens no constant
				b = b[1:]
			}
		case t.head > 0 && b[0] == blobHead[t.head]:
			t.head++
			t.text.WriteByte(b[0])
			b = b[1:]
		default:
			i := bytes.IndexByte(b, blobHead[0])
			if i < 0 {
				t.head = 0
				t.text.Write(b)
				return
			}
			t.text.Write(b[:i+1])
			t.head = 1
			b = b[i+1:]
		}
	}
}

func (t *textReader) hex(b []byte) {
	if t.blob == nil {
		t.digits = append(t.digits, b...)
		if len(t.digits) < minBlob {
			return
		}
		b = t.digits
		t.blob = &blob{at: t.text.Len() - len(blobHead)}
	}
	t.blob.cut += len(b)
	for len(b) > 0 {
		if t.half {
			t.room()[0] = t.nibble | hexDigit[b[0]]
			t.grow(1)
			b, t.half = b[1:], false
			continue
		}
		n := min(len(b)/2, len(t.room()))
		if n == 0 {
			t.nibble, t.half = hexDigit[b[0]]<<4, true
			return
		}
		decodeHex(t.room()[:n], b[:2*n])
		t.grow(n)
		b = b[2*n:]
	}
}

// room returns the free end of the last chunk, or a new chunk if that one is full.
func (t *textReader) room() []byte {
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last]) == cap(t.chunks[last]) {
		t.chunks = append(t.chunks, t.chunk())
		last++
	}
	c := t.chunks[last]
	return c[len(c):cap(c)]
}

// chunk returns memory for the next bytes of a constant: the rest of the arena for the first.
func (t *textReader) chunk() []byte {
	if t.arena == nil && t.size > t.text.Len() {
		t.arena = make([]byte, 0, (t.size-t.text.Len())/2)
	}
	start := (len(t.arena) + alignment - 1) &^ (alignment - 1)
	if before := t.blob.at - 1; before >= 0 && t.text.String()[before] != '<' { // a resource
		start += alignment - resourceHead
	}
	if len(t.chunks) == 0 && start < cap(t.arena) {
		return t.arena[start:start]
	}
	if n := len(t.free); n > 0 {
		c := t.free[n-1]
		t.free = t.free[:n-1]
		return c[:0]
	}
	return make([]byte, 0, blobChunk)
}

func (t *textReader) grow(n int) {
	c := &t.chunks[len(t.chunks)-1]
	*c = (*c)[:len(*c)+n]
}

// inArena reports whether the first chunk is the rest of the arena: it ends where that does.
func (t *textReader) inArena() bool {
	c := t.chunks[0]
	return cap(t.arena) > 0 && &c[:cap(c)][cap(c)-1] == &t.arena[:cap(t.arena)][cap(t.arena)-1]
}

// join returns the bytes of a complete constant in one piece.
func (t *textReader) join() []byte {
	c, kept := t.chunks[0], t.inArena()
	if kept && len(t.chunks) == 1 {
		t.arena = t.arena[:cap(t.arena)-cap(c)+len(c)]
		t.kept = append(t.kept, len(t.blobs))
		return c[:len(c):len(c)]
	}
	data := bytes.Join(t.chunks, nil)
	if kept {
		t.chunks = t.chunks[1:]
	}
	t.free = append(t.free, t.chunks...)
	return data
}

// trim moves the constants out of an arena that they fill by less than half.
func (t *textReader) trim() {
	if len(t.arena) >= cap(t.arena)/2 {
		return
	}
	for _, i := range t.kept {
		t.blobs[i].data = bytes.Clone(t.blobs[i].data)
	}
}

// end ends a constant before a character that is not a digit, or 0 at the end of the text. A constant that does not end
// with a quote, or ends in the middle of a byte, becomes text again, so that parsing reports the error.
func (t *textReader) end(next byte) {
	switch {
	case t.blob != nil && (next != blobHead[0] || t.half):
		for _, c := range t.chunks {
			writeDigits(&t.text, c)
		}
		if t.half {
			t.text.WriteByte(upperDigits[t.nibble>>4])
		}
	case t.blob != nil:
		number := "@" + strconv.Itoa(len(t.blobs))
		t.text.WriteString(number)
		t.blob.cut -= len(number)
		t.blob.data = t.join()
		t.blobs = append(t.blobs, *t.blob)
	default:
		t.text.Write(t.digits)
	}
	t.head, t.digits, t.blob, t.chunks, t.half = 0, t.digits[:0], nil, nil, false
}

const upperDigits = "0123456789ABCDEF"

func writeDigits(text *strings.Builder, data []byte) {
	text.Grow(2 * len(data))
	for _, x := range data {
		text.WriteByte(upperDigits[x>>4])
		text.WriteByte(upperDigits[x&15])
	}
}

// blobAt returns the decoded constant for which body stands in the text, after 0x in quotes that begin at an offset. It
// returns nil if body is not the number of a constant.
func (s *source) blobAt(at int, body string) *blob {
	digits, ok := strings.CutPrefix(body, "@")
	if !ok {
		return nil
	}
	k, err := strconv.Atoi(digits)
	if err != nil || k < 0 || k >= len(s.blobs) || s.blobs[k].at != at {
		return nil
	}
	return &s.blobs[k]
}

// missing returns how many characters the text lacks between two offsets.
func (s *source) missing(from, to int) int {
	n := 0
	for i := range s.blobs {
		if b := &s.blobs[i]; b.at >= from && b.at < to {
			n += b.cut
		}
	}
	return n
}
