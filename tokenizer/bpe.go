package tokenizer

import (
	"container/heap"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bpe is byte-pair encoding: it begins with characters as tokens, and merges pairs of adjacent tokens in the
// order in which the merges were learnt.
type bpe struct {
	vocabulary
	merges       map[[2]int]merged
	unknown      string
	hasUnknown   bool
	prefix       string // in front of all characters of a piece but the first
	suffix       string // after the last character
	fuse         bool   // adjacent unknown characters are one token
	byBytes      bool   // an unknown character becomes the tokens of its bytes, if the vocabulary has them
	ignoreMerges bool   // a piece that is a token stays whole
}

// merged is the token that a pair becomes, and the rank of the merge.
type merged struct{ rank, id int }

func (m *bpe) tokens(text string) ([]token, error) {
	if m.ignoreMerges {
		if id, ok := m.ids[text]; ok {
			return []token{{id, text}}, nil
		}
	}
	symbols, err := m.symbols(text)
	if err != nil {
		return nil, err
	}
	m.merge(symbols)
	var out []token
	for i := 0; i >= 0 && i < len(symbols); i = symbols[i].next {
		out = append(out, token{symbols[i].id, m.texts[symbols[i].id]})
	}
	return out, nil
}

// A symbol is a token of a linked list. A symbol that was merged into the one before it has the id −1.
type symbol struct{ id, before, next int }

// symbols returns the tokens of single characters.
func (m *bpe) symbols(text string) ([]symbol, error) {
	var ids []int
	unknown := -1
	flush := func() {
		if unknown >= 0 {
			ids = append(ids, unknown)
			unknown = -1
		}
	}
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		s := text[i:end]
		if i > 0 {
			s = m.prefix + s
		}
		if end == len(text) {
			s += m.suffix
		}
		if id, ok := m.ids[s]; ok {
			flush()
			ids = append(ids, id)
			continue
		}
		if m.byBytes {
			if bytes, ok := m.byteTokens(s); ok {
				ids = append(ids, bytes...)
				continue
			}
		}
		if !m.hasUnknown {
			continue
		}
		if !m.fuse {
			flush()
		}
		id, ok := m.ids[m.unknown]
		if !ok {
			return nil, fmt.Errorf("the unknown token %q is not in the vocabulary; correct the tokenizer's file", m.unknown)
		}
		unknown = id
	}
	flush()
	out := make([]symbol, len(ids))
	for i, id := range ids {
		out[i] = symbol{id, i - 1, i + 1}
	}
	if len(out) > 0 {
		out[len(out)-1].next = -1
	}
	return out, nil
}

// merge applies merges in the order of their ranks, and merges of equal rank from the left.
func (m *bpe) merge(s []symbol) {
	var q pairs
	push := func(at int) {
		if at < 0 || s[at].next < 0 {
			return
		}
		if k, ok := m.merges[[2]int{s[at].id, s[s[at].next].id}]; ok {
			heap.Push(&q, pair{at, k})
		}
	}
	for i := range s {
		push(i)
	}
	for len(q) > 0 {
		p := heap.Pop(&q).(pair)
		left := &s[p.at]
		if left.id < 0 || left.next < 0 {
			continue
		}
		right := &s[left.next]
		if k, ok := m.merges[[2]int{left.id, right.id}]; !ok || k.id != p.id {
			continue
		}
		left.id, right.id = p.id, -1
		if left.next = right.next; right.next >= 0 {
			s[right.next].before = p.at
		}
		push(left.before)
		push(p.at)
	}
}

// A pair is a position at which two symbols can be merged.
type pair struct {
	at int
	merged
}

// pairs is a heap of pairs: the one with the lowest rank comes first, of equal ranks the leftmost one.
type pairs []pair

func (q pairs) Len() int { return len(q) }

func (q pairs) Less(i, j int) bool {
	if q[i].rank != q[j].rank {
		return q[i].rank < q[j].rank
	}
	return q[i].at < q[j].at
}

func (q pairs) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *pairs) Push(x any) { *q = append(*q, x.(pair)) }

func (q *pairs) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// readMerges reads pairs of tokens, written as lists of two or as texts with a blank between the two.
func (m *bpe) readMerges(data json.RawMessage) error {
	var lists [][]string
	if err := json.Unmarshal(data, &lists); err != nil {
		var lines []string
		if err := json.Unmarshal(data, &lines); err != nil {
			return fmt.Errorf("merges: %w", err)
		}
		lists = nil // lists has the part that was read before the error
		for _, l := range lines {
			lists = append(lists, strings.Split(l, " "))
		}
	}
	m.merges = make(map[[2]int]merged, len(lists))
	for rank, p := range lists {
		if len(p) != 2 {
			return fmt.Errorf("merges[%d] is no pair: %q; correct the file", rank, p)
		}
		var ids [3]int
		for i, s := range []string{p[0], p[1], p[0] + strings.TrimPrefix(p[1], m.prefix)} {
			id, ok := m.ids[s]
			if !ok {
				return fmt.Errorf("merges[%d]: %q is not in the vocabulary; correct the file", rank, s)
			}
			ids[i] = id
		}
		m.merges[[2]int{ids[0], ids[1]}] = merged{rank, ids[2]}
	}
	return nil
}
