package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// unigram cuts a piece into those tokens whose probabilities have the largest product.
type unigram struct {
	vocabulary
	scores  []float64 // logarithms, by number
	longest int       // bytes of the longest token
	unknown int       // −1: none
	lowest  float64   // the lowest of scores
	byBytes bool
}

// unknownPenalty is subtracted from the lowest score of a token: the difference is the score of an
// unknown character.
const unknownPenalty = 10

// A step is the last token of the best tokenization of the text up to a position.
type step struct {
	score float64
	from  int // where the token begins; −1: none
	id    int
}

func (m *unigram) tokens(text string) ([]token, error) {
	best := make([]step, len(text)+1)
	for i := range best {
		best[i].from = -1
	}
	offer := func(from, to, id int, score float64) {
		if s := best[from].score + score; best[to].from < 0 || s > best[to].score {
			best[to] = step{s, from, id}
		}
	}
	for at := 0; at < len(text); {
		_, first := utf8.DecodeRuneInString(text[at:])
		single := false
		for end := at + 1; end <= len(text) && end-at <= m.longest; end++ {
			if id, ok := m.ids[text[at:end]]; ok {
				offer(at, end, id, m.scores[id])
				single = single || end-at == first
			}
		}
		if !single {
			if m.unknown < 0 {
				return nil, fmt.Errorf("the text has a character that the vocabulary lacks (%q), and there is no unknown token; use a vocabulary that has one", text[at:at+first])
			}
			offer(at, at+first, m.unknown, m.lowest-unknownPenalty)
		}
		at += first
	}
	var parts []string
	for end, open := len(text), false; end > 0; end = best[end].from {
		s := text[best[end].from:end]
		unknown := m.unknown >= 0 && best[end].id == m.unknown
		if unknown && open { // beside another unknown token
			parts[len(parts)-1] = s + parts[len(parts)-1]
		} else {
			parts = append(parts, s)
		}
		open = unknown
	}
	slices.Reverse(parts)
	var out []token
	for _, s := range parts {
		if id, ok := m.ids[s]; ok {
			out = append(out, token{id, s})
			continue
		}
		if m.byBytes {
			if ids, ok := m.byteTokens(s); ok {
				for _, id := range ids {
					out = append(out, token{id, m.texts[id]})
				}
				continue
			}
		}
		if m.unknown < 0 {
			return nil, fmt.Errorf("%q is not in the vocabulary, and there is no unknown token; use a vocabulary that has one", s)
		}
		out = append(out, token{m.unknown, s})
	}
	return out, nil
}

func readUnigram(data json.RawMessage, unknown *int, byBytes bool) (model, error) {
	var rows [][2]any
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("vocab: %w", err)
	}
	m := &unigram{unknown: -1, lowest: math.Inf(1), byBytes: byBytes, vocabulary: vocabulary{map[string]int{}, map[int]string{}}}
	for i, r := range rows {
		s, ok := r[0].(string)
		score, ok2 := r[1].(float64)
		if !ok || !ok2 {
			return nil, fmt.Errorf("vocab[%d] is no token with a score; correct the file", i)
		}
		m.ids[s], m.texts[i] = i, s
		m.scores = append(m.scores, score)
		m.longest, m.lowest = max(m.longest, len(s)), min(m.lowest, score)
	}
	if unknown != nil {
		if *unknown < 0 || *unknown >= len(rows) {
			return nil, fmt.Errorf("unk_id %d is none of %d tokens; correct the file", *unknown, len(rows))
		}
		m.unknown = *unknown
	}
	return m, nil
}
