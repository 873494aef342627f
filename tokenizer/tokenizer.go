package tokenizer

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// A Tokenizer is a loaded file. It is safe for concurrent use by multiple goroutines.
type Tokenizer struct {
	normalize normalizer   // nil: none
	split     preTokenizer // nil: none
	model     model
	post      postProcessor // nil: none
	decode    decoder       // nil: tokens are joined by blanks
	truncate  *truncation   // nil: none
	pad       *padding      // nil: none

	raw, normalized finder // of added tokens, in texts and in normalized texts
	added           map[string]int
	addedByID       map[int]addedToken
}

// An Encoding is a text, or two texts, as tokens.
type Encoding struct {
	IDs    []int
	Tokens []string
	Types  []int // as the file states: usually 0 for tokens of the first text, 1 for those of the second
	Mask   []int // 1 for tokens, 0 for padding
}

// Load reads a tokenizer.json.
func Load(r io.Reader) (*Tokenizer, error) {
	if r == nil {
		return nil, fmt.Errorf("tokenizer.Load: the reader is nil; open a file and pass it")
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("tokenizer.Load: %w", err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("tokenizer.Load: the file has more than %d bytes; is it a tokenizer.json?", maxFile)
	}
	t, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.Load: %w", err)
	}
	return t, nil
}

// LoadFile reads a tokenizer.json.
func LoadFile(name string) (*Tokenizer, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.LoadFile: %w", err)
	}
	defer f.Close()
	t, err := Load(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// Encode returns the tokens of a text, with the tokens that the file puts around it, cut and padded as
// the file states.
func (t *Tokenizer) Encode(text string) (Encoding, error) {
	a, err := t.Tokens(text)
	if err != nil {
		return Encoding{}, err
	}
	return t.around(a, nil), nil
}

// EncodePair returns the tokens of two texts, such as a question and an answer, with the tokens that the
// file puts around them, cut and padded as the file states.
func (t *Tokenizer) EncodePair(first, second string) (Encoding, error) {
	a, err := t.Tokens(first)
	if err != nil {
		return Encoding{}, err
	}
	b, err := t.Tokens(second)
	if err != nil {
		return Encoding{}, err
	}
	return t.around(a, &b), nil
}

// Tokens returns the tokens of a text, without tokens around it. Each run of bytes that are not UTF-8
// counts as one U+FFFD.
func (t *Tokenizer) Tokens(text string) (Encoding, error) {
	var e Encoding
	text = strings.ToValidUTF8(text, "\uFFFD")
	for _, raw := range t.raw.find(text, true) {
		if raw.id >= 0 {
			e.add(raw.id, raw.text, 0)
			continue
		}
		if t.normalize != nil {
			var err error
			if raw, err = t.normalize(raw); err != nil {
				return Encoding{}, err
			}
		}
		for _, piece := range t.normalized.find(raw.text, raw.first) {
			if piece.id >= 0 {
				e.add(piece.id, piece.text, 0)
				continue
			}
			if err := t.pieces(piece, &e); err != nil {
				return Encoding{}, err
			}
		}
	}
	return e, nil
}

// pieces adds the tokens of a text without added tokens.
func (t *Tokenizer) pieces(whole piece, e *Encoding) error {
	pieces := []piece{whole}
	if t.split != nil {
		var err error
		if pieces, err = t.split(pieces); err != nil {
			return err
		}
	}
	for _, p := range pieces {
		if p.text == "" {
			continue
		}
		tokens, err := t.model.tokens(p.text)
		if err != nil {
			return err
		}
		for _, k := range tokens {
			e.add(k.id, k.text, 0)
		}
	}
	return nil
}

func (e *Encoding) add(id int, text string, typ int) {
	e.IDs, e.Tokens, e.Types, e.Mask = append(e.IDs, id), append(e.Tokens, text), append(e.Types, typ), append(e.Mask, 1)
}

// Decode returns the text of tokens. Special tokens, such as CLS, and numbers without a token are
// left out, but not special tokens that the normalizer changes.
func (t *Tokenizer) Decode(ids []int) string { return t.text(ids, true) }

// DecodeAll returns the text of tokens, special ones too.
func (t *Tokenizer) DecodeAll(ids []int) string { return t.text(ids, false) }

func (t *Tokenizer) text(ids []int, skip bool) string {
	var tokens []string
	for _, id := range ids {
		s, ok := t.Token(id)
		a, added := t.addedByID[id]
		if added {
			s = a.text
		}
		special, named := t.added[s] // a special token is known by its text
		if ok && !(skip && named && t.addedByID[special].Special) {
			tokens = append(tokens, s)
		}
	}
	if t.decode == nil {
		return strings.Join(tokens, " ")
	}
	return strings.Join(t.decode(tokens), "")
}

// Token returns the text of a token.
func (t *Tokenizer) Token(id int) (text string, ok bool) {
	if a, ok := t.addedByID[id]; ok {
		return a.Content, true
	}
	return t.model.token(id)
}

// ID returns the number of a token.
func (t *Tokenizer) ID(token string) (id int, ok bool) {
	if id, ok := t.added[token]; ok {
		return id, true
	}
	return t.model.id(token)
}

// Size returns the number of tokens, added ones too.
func (t *Tokenizer) Size() int {
	n := t.model.size()
	for s := range t.added {
		if _, ok := t.model.id(s); !ok {
			n++
		}
	}
	return n
}
