package tokenizer

import (
	"encoding/json"
	"fmt"
)

// Limits of a file: its bytes, its steps, and the largest number of a token.
const (
	maxFile  = 256 << 20
	maxSteps = 64 // of the file together: sequences and their members, nested ones too
	maxID    = 1 << 28
)

// fileForm is a tokenizer.json.
type fileForm struct {
	Truncation    *truncation     `json:"truncation"`
	Padding       *padding        `json:"padding"`
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
	t := &Tokenizer{truncate: f.Truncation, pad: f.Padding, added: map[string]int{}, addedByID: map[int]addedToken{}}
	if t.truncate != nil {
		if err := t.truncate.check(); err != nil {
			return nil, fmt.Errorf("truncation: %w", err)
		}
	}
	if t.pad != nil {
		if err := t.pad.check(); err != nil {
			return nil, fmt.Errorf("padding: %w", err)
		}
	}
	var err error
	if t.model, err = readModel(f.Model); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	steps := maxSteps
	for _, part := range []struct {
		name string
		data json.RawMessage
		read func(data json.RawMessage) error
	}{
		{"normalizer", f.Normalizer, func(d json.RawMessage) (err error) { t.normalize, err = readNormalizer(d, &steps); return err }},
		{"pre_tokenizer", f.PreTokenizer, func(d json.RawMessage) (err error) { t.split, err = readPreTokenizer(d, &steps); return err }},
		{"post_processor", f.PostProcessor, func(d json.RawMessage) (err error) { t.post, err = readPostProcessor(d, &steps); return err }},
		{"decoder", f.Decoder, func(d json.RawMessage) (err error) { t.decode, err = readDecoder(d, &steps); return err }},
	} {
		if len(part.data) == 0 || string(part.data) == "null" {
			continue
		}
		if err := part.read(part.data); err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	for i, a := range f.AddedTokens {
		if a.ID < 0 || a.ID > maxID {
			return nil, fmt.Errorf("added_tokens[%d]: the number %d is none of a token; correct the file", i, a.ID)
		}
		if id, ok := t.model.id(a.Content); ok { // the model's number takes precedence
			a.ID = id
		}
		a.text = a.Content
		finder := &t.raw
		if a.Normalized {
			finder = &t.normalized
			if t.normalize != nil {
				p, err := t.normalize(piece{text: a.Content})
				if err != nil {
					return nil, fmt.Errorf("added_tokens[%d]: %w", i, err)
				}
				a.text = p.text
			}
		}
		finder.add(a)
		t.added[a.Content], t.addedByID[a.ID] = a.ID, a
	}
	return t, nil
}

func kindOf(data json.RawMessage) (string, error) {
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

// read decodes a step into v and subtracts 1 from steps, the number of steps that the file may still have.
func read(data json.RawMessage, v any, steps *int) error {
	if *steps--; *steps < 0 {
		return fmt.Errorf("there are more than %d steps; join some", maxSteps)
	}
	return json.Unmarshal(data, v)
}

func readAll[T any](parts []json.RawMessage, steps *int, read func(json.RawMessage, *int) (T, error)) (list []T, err error) {
	for _, d := range parts {
		p, err := read(d, steps)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}
