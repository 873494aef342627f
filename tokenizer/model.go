package tokenizer

import (
	"encoding/json"
	"fmt"
)

type model interface {
	tokens(piece string) ([]token, error)
	id(token string) (int, bool)
	token(id int) (string, bool)
	size() int
}

type token struct {
	id   int
	text string
}

type vocabulary struct {
	ids   map[string]int
	texts map[int]string
}

func newVocabulary(ids map[string]int) vocabulary {
	v := vocabulary{ids, make(map[int]string, len(ids))}
	for s, id := range ids {
		v.texts[id] = s
	}
	return v
}

func (v vocabulary) id(s string) (int, bool) { id, ok := v.ids[s]; return id, ok }

func (v vocabulary) token(id int) (string, bool) { s, ok := v.texts[id]; return s, ok }

func (v vocabulary) size() int { return len(v.ids) }

// byteTokens returns the tokens <0x00> … <0xFF> of a text's bytes, if the vocabulary has all of
// them.
func (v vocabulary) byteTokens(s string) (ids []int, ok bool) {
	for i := range len(s) {
		id, ok := v.ids[fmt.Sprintf("<0x%02X>", s[i])]
		if !ok {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}

func readModel(data json.RawMessage) (model, error) {
	var f struct {
		Type                    string          `json:"type"`
		Vocab                   json.RawMessage `json:"vocab"`
		Merges                  json.RawMessage `json:"merges"`
		Unknown                 *string         `json:"unk_token"`
		UnknownID               *int            `json:"unk_id"`
		ContinuingSubwordPrefix *string         `json:"continuing_subword_prefix"`
		EndOfWordSuffix         *string         `json:"end_of_word_suffix"`
		FuseUnknown             bool            `json:"fuse_unk"`
		ByteFallback            bool            `json:"byte_fallback"`
		IgnoreMerges            bool            `json:"ignore_merges"`
		Dropout                 *float64        `json:"dropout"`
		MaxInput                *int            `json:"max_input_chars_per_word"`
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Dropout != nil && *f.Dropout != 0 {
		return nil, fmt.Errorf("dropout is not supported, since it draws numbers; set it to 0")
	}
	if f.Type == "" { // older files leave it off
		f.Type = "BPE"
		if f.UnknownID != nil {
			f.Type = "Unigram"
		} else if f.MaxInput != nil {
			f.Type = "WordPiece"
		} else if f.Merges == nil {
			f.Type = "WordLevel"
		}
	}
	text := func(s *string, otherwise string) string {
		if s == nil {
			return otherwise
		}
		return *s
	}
	if f.Type == "Unigram" {
		return readUnigram(f.Vocab, f.UnknownID, f.ByteFallback)
	}
	ids := map[string]int{}
	if err := json.Unmarshal(f.Vocab, &ids); err != nil {
		return nil, fmt.Errorf("vocab: %w", err)
	}
	for s, id := range ids {
		if id < 0 || id > maxID {
			return nil, fmt.Errorf("vocab: %q has the number %d; correct the file", s, id)
		}
	}
	v := newVocabulary(ids)
	switch f.Type {
	case "BPE":
		m := &bpe{
			vocabulary: v, unknown: text(f.Unknown, ""), hasUnknown: f.Unknown != nil, prefix: text(f.ContinuingSubwordPrefix, ""), suffix: text(f.EndOfWordSuffix, ""),
			fuse: f.FuseUnknown, byBytes: f.ByteFallback, ignoreMerges: f.IgnoreMerges,
		}
		return m, m.readMerges(f.Merges)
	case "WordPiece":
		m := &wordPiece{vocabulary: v, unknown: text(f.Unknown, "[UNK]"), prefix: text(f.ContinuingSubwordPrefix, "##"), most: 100}
		if f.MaxInput != nil {
			m.most = *f.MaxInput
		}
		return m, nil
	case "WordLevel":
		return &wordLevel{v, text(f.Unknown, "[UNK]")}, nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", f.Type)
}
