package tokenizer

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// A charsMap is the table of SentencePiece's normalizers: a double-array trie of the texts that are
// replaced, and their replacements, each ended by a zero byte.
type charsMap struct {
	array []uint32
	texts []byte
}

// maxLookup is the number of bytes of the longest cluster that is replaced as a whole.
const maxLookup = 5

func newCharsMap(data []byte) (*charsMap, error) {
	if len(data) < 4 {
		return nil, fmt.Errorf("precompiled_charsmap has %d bytes; it is damaged", len(data))
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if n%4 != 0 || n == 0 || n > int64(len(data)-4) {
		return nil, fmt.Errorf("precompiled_charsmap states %d bytes of %d; it is damaged", n, len(data))
	}
	m := &charsMap{texts: data[4+n:]}
	for i := int64(0); i < n; i += 4 {
		m.array = append(m.array, binary.LittleEndian.Uint32(data[4+i:]))
	}
	return m, nil
}

// lookup returns the replacement of the shortest prefix of s that is in the table.
func (m *charsMap) lookup(s string) (string, bool) {
	unit := m.array[0]
	offset := func(u uint32) uint32 { return u >> 10 << (u & (1 << 9) >> 6) }
	at := offset(unit)
	for i := range len(s) {
		at ^= uint32(s[i])
		if s[i] == 0 || int64(at) >= int64(len(m.array)) {
			return "", false
		}
		unit = m.array[at]
		if unit&(1<<31|0xff) != uint32(s[i]) {
			return "", false
		}
		at ^= offset(unit)
		if unit>>8&1 == 0 {
			continue
		}
		if int64(at) >= int64(len(m.array)) {
			return "", false
		}
		k := int64(m.array[at] & (1<<31 - 1))
		if k > int64(len(m.texts)) {
			return "", false
		}
		text, _, _ := strings.Cut(string(m.texts[k:min(k+256, int64(len(m.texts)))]), "\x00")
		return text, true
	}
	return "", false
}

// normalize replaces grapheme clusters of few bytes that begin with a text of the table. In other clusters it replaces the
// characters that are in the table.
func (m *charsMap) normalize(s string) string {
	var b strings.Builder
	for s != "" {
		n := cluster(s)
		part := s[:n]
		s = s[n:]
		if n <= maxLookup {
			if t, ok := m.lookup(part); ok {
				b.WriteString(t)
				continue
			}
		}
		for _, r := range part {
			if t, ok := m.lookup(string(r)); ok {
				b.WriteString(t)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}
