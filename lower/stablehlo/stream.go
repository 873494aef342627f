package stablehlo

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// A text has two digits for each byte of a constant. They are decoded while the text is
// read, so that reading needs memory for the constants and the arrays made of them alone.

const (
	minBlob   = 1 << 12 // digits of the shortest constant that is decoded
	blobChunk = 1 << 20
	maxGrow   = 1 << 30 // memory that is allocated for what a reader reports to have
	blobHead  = `"0x`
)

// blob is a constant that was decoded while its text was read. In its place the text has
// its number: "0x@3".
type blob struct {
	chunks [][]byte
	size   int
	at     int // offset of the quote in front
	cut    int // how many characters the text lacks
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
	all := bufio.NewReaderSize(r, 1<<16) // it ends what reads nothing again and again
	head, err := all.Peek(8)
	if err != nil && err != io.EOF {
		return nil, "", err
	}
	if HasBytes(head) {
		file, err := readWhole(all, sizeOf(r)+len(head))
		return nil, file, err
	}
	var t textReader
	if err := t.read(all); err != nil {
		return nil, "", err
	}
	return &source{name: name, text: t.text.String(), blobs: t.blobs}, "", nil
}

// HasBytes reports whether a file that begins with head is bytecode, or has it within: the
// offsets in FlatBuffers have zeros, which no text has.
func HasBytes(head []byte) bool {
	return bytes.HasPrefix(head, bytecodeMagic) || bytes.IndexByte(head[:min(8, len(head))], 0) >= 0
}

// sizeOf returns how many bytes r has, 0 if it does not report that.
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

// textReader splits a text into what stands between long constants, and those.
type textReader struct {
	text   strings.Builder
	blobs  []blob
	head   int    // how many characters of blobHead were read
	digits []byte // behind it, while they are few
	blob   *blob  // what they became
	nibble byte   // the first half of a byte
	half   bool   // there is one
}

func (t *textReader) read(r io.Reader) error {
	buf := make([]byte, 1<<16)
	for {
		n, err := r.Read(buf)
		t.add(buf[:n])
		if err == io.EOF {
			t.end(0)
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

// hex takes digits of a constant.
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

// room returns the free end of the last chunk.
func (t *textReader) room() []byte {
	last := len(t.blob.chunks) - 1
	if last < 0 || len(t.blob.chunks[last]) == blobChunk {
		t.blob.chunks = append(t.blob.chunks, make([]byte, 0, blobChunk))
		last++
	}
	c := t.blob.chunks[last]
	return c[len(c):blobChunk]
}

func (t *textReader) grow(n int) {
	c := &t.blob.chunks[len(t.blob.chunks)-1]
	*c = (*c)[:len(*c)+n]
	t.blob.size += n
}

// end ends a constant before a character that is no digit, 0 at the end of the text. One
// that does not end with a quote, or in the middle of a byte, stays for the error that
// follows.
func (t *textReader) end(next byte) {
	switch {
	case t.blob != nil && (next != blobHead[0] || t.half):
		t.text.WriteString(t.blob.digits())
		if t.half {
			t.text.WriteByte(upperDigits[t.nibble>>4])
		}
	case t.blob != nil:
		number := "@" + strconv.Itoa(len(t.blobs))
		t.text.WriteString(number)
		t.blob.cut -= len(number)
		last := &t.blob.chunks[len(t.blob.chunks)-1]
		*last = bytes.Clone(*last) // a chunk has more room than most constants need
		t.blobs = append(t.blobs, *t.blob)
	default:
		t.text.Write(t.digits)
	}
	t.head, t.digits, t.blob, t.half = 0, t.digits[:0], nil, false
}

const upperDigits = "0123456789ABCDEF"

// digits returns the text of a constant.
func (b *blob) digits() string {
	var s strings.Builder
	s.Grow(2 * b.size)
	for _, c := range b.chunks {
		for _, x := range c {
			s.WriteByte(upperDigits[x>>4])
			s.WriteByte(upperDigits[x&15])
		}
	}
	return s.String()
}

// blobAt returns the decoded constant in the place of the text behind 0x in quotes that
// begin at an offset, nil if none is.
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

// copyTo copies the bytes behind the first few.
func (b *blob) copyTo(dst []byte, skip int) {
	for _, c := range b.chunks {
		n := min(skip, len(c))
		skip -= n
		dst = dst[copy(dst, c[n:]):]
	}
}
