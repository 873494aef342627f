package tokenizer

import (
	"encoding/json"
	"fmt"
)

// Limits of files.
const (
	maxFile  = 256 << 20
	maxSteps = 64 // of sequences, nested ones too
	maxID    = 1 << 28
)

// fileForm is a tokenizer.json.
type fileForm struct {
	Truncation    *truncation     `json:"truncation"`
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"`
	Model         json.RawMessage `json:"model"`
}

func parse(data []byte) (*Tokenizer, error) {
	var f fileForm
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("this is no tokenizer.json: %w", err)
	}
	t := &Tokenizer{truncate: f.Truncation, added: map[string]int{}, addedByID: map[int]addedToken{}}
	if t.truncate != nil && t.truncate.MaxLength < 0 {
		return nil, fmt.Errorf("truncation: the length is %d; correct the file", t.truncate.MaxLength)
	}
	steps := maxSteps
	for _, part := range []struct {
		name string
		read func() error
	}{
		{"model", func() (err error) { t.model, err = readModel(f.Model); return err }},
		{"normalizer", func() (err error) { t.normalize, err = readNormalizer(f.Normalizer, &steps); return err }},
		{"pre_tokenizer", func() (err error) { t.split, err = readPreTokenizer(f.PreTokenizer, &steps); return err }},
		{"post_processor", func() (err error) { t.post, err = readPostProcessor(f.PostProcessor, &steps); return err }},
		{"decoder", func() (err error) { t.decode, err = readDecoder(f.Decoder, &steps); return err }},
	} {
		if err := part.read(); err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	for i, a := range f.AddedTokens {
		if a.ID < 0 || a.ID > maxID {
			return nil, fmt.Errorf("added_tokens[%d]: the number %d is none of a token; correct the file", i, a.ID)
		}
		if id, ok := t.model.id(a.Content); ok { // the model's number counts
			a.ID = id
		}
		t.added[a.Content], t.addedByID[a.ID] = a.ID, a
		if a.Normalized {
			s := a.Content
			if t.normalize != nil {
				s = t.normalize(s)
			}
			t.normalized.add(s, a)
		} else {
			t.raw.add(a.Content, a)
		}
	}
	return t, nil
}

// kindOf returns the type of a step, "" for none.
func kindOf(data json.RawMessage) (string, error) {
	if len(data) == 0 || string(data) == "null" {
		return "", nil
	}
	var k struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return "", err
	}
	if k.Type == "" {
		return "", fmt.Errorf("the type is missing; correct the file")
	}
	return k.Type, nil
}

// read decodes a step into v.
func read(data json.RawMessage, v any, steps *int) error {
	if *steps--; *steps < 0 {
		return fmt.Errorf("there are more than %d steps; join some", maxSteps)
	}
	return json.Unmarshal(data, v)
}
