package tokenizer

import (
	"encoding/json"
	"fmt"
)

// A postProcessor adds tokens around one text or two; b is nil if there is only one.
type postProcessor func(a Encoding, b *Encoding) Encoding

func joined(a Encoding, b *Encoding) Encoding {
	var e Encoding
	e.append(a, 0)
	if b != nil {
		e.append(*b, 1)
	}
	return e
}

func (e *Encoding) append(a Encoding, typ int) {
	for i, id := range a.IDs {
		e.add(id, a.Tokens[i], typ)
	}
}

// templateItem is a part of a template: one of the texts, or tokens.
type templateItem struct {
	sequence string // "A" for the first text, "B" for the second, "" for tokens
	tokens   Encoding
	typ      int
}

func template(single, pair []templateItem) postProcessor {
	return func(a Encoding, b *Encoding) Encoding {
		items := single
		if b != nil {
			items = pair
		}
		var e Encoding
		for _, it := range items {
			switch {
			case it.sequence == "A":
				e.append(a, it.typ)
			case it.sequence == "B" && b != nil:
				e.append(*b, it.typ)
			case it.sequence == "":
				e.append(it.tokens, it.typ)
			}
		}
		return e
	}
}

func readPostProcessor(data json.RawMessage, steps *int) (postProcessor, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, err
	}
	type special struct {
		IDs    []int    `json:"ids"`
		Tokens []string `json:"tokens"`
	}
	type item struct {
		SpecialToken, Sequence *struct {
			ID   string `json:"id"`
			Type int    `json:"type_id"`
		}
	}
	var f struct {
		Processors []json.RawMessage  `json:"processors"`
		Single     []item             `json:"single"`
		Pair       []item             `json:"pair"`
		Special    map[string]special `json:"special_tokens"`
		Sep        []any              `json:"sep"`
		Cls        []any              `json:"cls"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	switch kind {
	case "ByteLevel": // changes offsets only
		return nil, nil
	case "Sequence":
		var last postProcessor
		for _, d := range f.Processors {
			p, err := readPostProcessor(d, steps)
			if err != nil {
				return nil, err
			}
			if p == nil {
				continue
			}
			if last != nil {
				return nil, fmt.Errorf("a sequence of two that add tokens is not supported; use a tokenizer of another kind")
			}
			last = p
		}
		return last, nil
	case "TemplateProcessing":
		items := func(list []item) (out []templateItem, err error) {
			for _, i := range list {
				switch {
				case i.Sequence != nil:
					if i.Sequence.ID != "A" && i.Sequence.ID != "B" {
						return nil, fmt.Errorf("a template has the text %q; correct the file", i.Sequence.ID)
					}
					out = append(out, templateItem{sequence: i.Sequence.ID, typ: i.Sequence.Type})
				case i.SpecialToken != nil:
					s, ok := f.Special[i.SpecialToken.ID]
					if !ok || len(s.IDs) != len(s.Tokens) {
						return nil, fmt.Errorf("a template has the token %q, which special_tokens lacks; correct the file", i.SpecialToken.ID)
					}
					out = append(out, templateItem{tokens: Encoding{IDs: s.IDs, Tokens: s.Tokens}, typ: i.SpecialToken.Type})
				default:
					return nil, fmt.Errorf("an item of a template is neither a Sequence nor a SpecialToken; correct the file")
				}
			}
			return out, nil
		}
		single, err := items(f.Single)
		if err != nil {
			return nil, err
		}
		pair, err := items(f.Pair)
		if err != nil {
			return nil, err
		}
		return template(single, pair), nil
	case "BertProcessing", "RobertaProcessing":
		one := func(v []any, typ int) (templateItem, error) {
			if len(v) == 2 {
				s, ok := v[0].(string)
				id, ok2 := v[1].(float64)
				if ok && ok2 && id >= 0 && id <= maxID {
					return templateItem{tokens: Encoding{IDs: []int{int(id)}, Tokens: []string{s}}, typ: typ}, nil
				}
			}
			return templateItem{}, fmt.Errorf("sep and cls are a token with its number, got %v", v)
		}
		cls, err := one(f.Cls, 0)
		if err != nil {
			return nil, err
		}
		sep, err := one(f.Sep, 0)
		if err != nil {
			return nil, err
		}
		first := []templateItem{cls, {sequence: "A"}, sep}
		if kind == "RobertaProcessing" {
			return template(first, append(first[:3:3], sep, templateItem{sequence: "B"}, sep)), nil
		}
		end := sep
		end.typ = 1
		return template(first, append(first[:3:3], templateItem{sequence: "B", typ: 1}, end)), nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}
