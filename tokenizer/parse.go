package tokenizer

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
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

// patternForm is a text or a regex.
type patternForm struct {
	String *string
	Regex  *string
}

func (p patternForm) compile() (*regex, error) {
	switch {
	case p.String != nil && *p.String != "":
		return &regex{*p.String, literal(*p.String)}, nil
	case p.Regex != nil:
		return compile(*p.Regex)
	}
	return nil, fmt.Errorf("the pattern is empty; correct the file")
}

// literal matches a text.
type literal string

func (l literal) match(m *matcher, at int, then func(int) bool) bool {
	m.step()
	return strings.HasPrefix(m.text[at:], string(l)) && then(at+len(l))
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

// readMerges reads pairs, as lists or as texts with a blank between.
func (m *bpe) readMerges(data json.RawMessage) error {
	var lists [][]string
	if err := json.Unmarshal(data, &lists); err != nil {
		var lines []string
		if err := json.Unmarshal(data, &lines); err != nil {
			return fmt.Errorf("merges: %w", err)
		}
		lists = nil // which have what was read before the error
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

func readNormalizer(data json.RawMessage, steps *int) (normalizer, error) {
	kind, err := kindOf(data)
	if err != nil || kind == "" {
		return nil, err
	}
	var f struct {
		Normalizers     []json.RawMessage `json:"normalizers"`
		Pattern         patternForm       `json:"pattern"`
		Content         string            `json:"content"`
		Prepend         string            `json:"prepend"`
		StripLeft       bool              `json:"strip_left"`
		StripRight      bool              `json:"strip_right"`
		CleanText       bool              `json:"clean_text"`
		HandleChinese   bool              `json:"handle_chinese_chars"`
		StripAccents    *bool             `json:"strip_accents"`
		Lowercase       bool              `json:"lowercase"`
		PrecompiledMaps []byte            `json:"precompiled_charsmap"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	switch kind {
	case "Sequence":
		var list []normalizer
		for _, d := range f.Normalizers {
			n, err := readNormalizer(d, steps)
			if err != nil {
				return nil, err
			}
			if n != nil {
				list = append(list, n)
			}
		}
		return func(s string) string {
			for _, n := range list {
				s = n(s)
			}
			return s
		}, nil
	case "NFC":
		return func(s string) string { return composed(s, false) }, nil
	case "NFD":
		return func(s string) string { return decomposed(s, false) }, nil
	case "NFKC":
		return func(s string) string { return composed(s, true) }, nil
	case "NFKD":
		return func(s string) string { return decomposed(s, true) }, nil
	case "Lowercase":
		return lower, nil
	case "StripAccents":
		return without(isMark), nil
	case "Strip":
		return func(s string) string {
			if f.StripLeft {
				s = strings.TrimLeftFunc(s, unicode.IsSpace)
			}
			if f.StripRight {
				s = strings.TrimRightFunc(s, unicode.IsSpace)
			}
			return s
		}, nil
	case "BertNormalizer":
		accents := f.Lowercase
		if f.StripAccents != nil {
			accents = *f.StripAccents
		}
		return bert(f.CleanText, f.HandleChinese, accents, f.Lowercase), nil
	case "Replace":
		x, err := f.Pattern.compile()
		if err != nil {
			return nil, err
		}
		return func(s string) string {
			r, err := x.replace(s, f.Content)
			if err != nil { // a text that takes too long stays
				return s
			}
			return r
		}, nil
	case "Prepend":
		return func(s string) string {
			if s == "" {
				return s
			}
			return f.Prepend + s
		}, nil
	case "ByteLevel":
		return visible, nil
	case "Nmt":
		return nmt, nil
	case "Precompiled":
		m, err := newCharsMap(f.PrecompiledMaps)
		if err != nil {
			return nil, err
		}
		return m.normalize, nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}

func readPreTokenizer(data json.RawMessage, steps *int) (preTokenizer, error) {
	kind, err := kindOf(data)
	if err != nil || kind == "" {
		return nil, err
	}
	var f struct {
		PreTokenizers []json.RawMessage `json:"pretokenizers"`
		Pattern       patternForm       `json:"pattern"`
		Behavior      string            `json:"behavior"`
		Invert        bool              `json:"invert"`
		AddPrefix     *bool             `json:"add_prefix_space"`
		UseRegex      *bool             `json:"use_regex"`
		Replacement   string            `json:"replacement"`
		Scheme        string            `json:"prepend_scheme"`
		Split         *bool             `json:"split"`
		Individual    bool              `json:"individual_digits"`
		Delimiter     string            `json:"delimiter"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	behavior, known := behaviors[f.Behavior]
	switch kind {
	case "Sequence":
		var list []preTokenizer
		for _, d := range f.PreTokenizers {
			p, err := readPreTokenizer(d, steps)
			if err != nil {
				return nil, err
			}
			if p != nil {
				list = append(list, p)
			}
		}
		return func(in []piece) (out []piece, err error) {
			for _, p := range list {
				if in, err = p(in); err != nil {
					return nil, err
				}
			}
			return in, nil
		}, nil
	case "ByteLevel":
		return byteLevel(f.AddPrefix == nil || *f.AddPrefix, f.UseRegex == nil || *f.UseRegex), nil
	case "Whitespace":
		return byRegex(simpleWords, removed, true), nil
	case "WhitespaceSplit":
		return byChars(unicode.IsSpace, removed), nil
	case "BertPreTokenizer":
		blanks, marks := byChars(unicode.IsSpace, removed), byChars(isPunctuation, isolated)
		return func(in []piece) ([]piece, error) {
			in, err := blanks(in)
			if err != nil {
				return nil, err
			}
			return marks(in)
		}, nil
	case "Punctuation":
		if f.Behavior == "" {
			behavior, known = isolated, true
		}
		if !known {
			return nil, fmt.Errorf("the behavior %q is not supported; use a tokenizer of another kind", f.Behavior)
		}
		return byChars(isPunctuation, behavior), nil
	case "Digits":
		if f.Individual {
			return byChars(unicode.IsNumber, isolated), nil
		}
		return byChars(unicode.IsNumber, contiguous), nil
	case "CharDelimiterSplit":
		r, n := utf8.DecodeRuneInString(f.Delimiter)
		if n == 0 || n < len(f.Delimiter) {
			return nil, fmt.Errorf("the delimiter %q is no character; correct the file", f.Delimiter)
		}
		return byChars(func(c rune) bool { return c == r }, removed), nil
	case "Split":
		x, err := f.Pattern.compile()
		if err != nil {
			return nil, err
		}
		if !known {
			return nil, fmt.Errorf("the behavior %q is not supported; use a tokenizer of another kind", f.Behavior)
		}
		return byRegex(x, behavior, f.Invert), nil
	case "Metaspace":
		mark, scheme, err := metaspaceOf(f.Replacement, f.Scheme, f.AddPrefix)
		if err != nil {
			return nil, err
		}
		return metaspace(mark, scheme, f.Split == nil || *f.Split), nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}

// metaspaceOf returns the mark and where it is put in front; older files have add_prefix_space.
func metaspaceOf(replacement, scheme string, prefix *bool) (rune, string, error) {
	mark, n := utf8.DecodeRuneInString(replacement)
	if n == 0 || n < len(replacement) {
		return 0, "", fmt.Errorf("the replacement %q is no character; correct the file", replacement)
	}
	switch scheme {
	case "":
		scheme = "always"
		if prefix != nil && !*prefix {
			scheme = "never"
		}
	case "always", "first", "never":
	default:
		return 0, "", fmt.Errorf("the prepend_scheme %q is not supported; use a tokenizer of another kind", scheme)
	}
	return mark, scheme, nil
}

func readPostProcessor(data json.RawMessage, steps *int) (postProcessor, error) {
	kind, err := kindOf(data)
	if err != nil || kind == "" {
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

func readDecoder(data json.RawMessage, steps *int) (decoder, error) {
	kind, err := kindOf(data)
	if err != nil || kind == "" {
		return nil, err
	}
	var f struct {
		Decoders    []json.RawMessage `json:"decoders"`
		Pattern     patternForm       `json:"pattern"`
		Content     string            `json:"content"`
		Start       int               `json:"start"`
		Stop        int               `json:"stop"`
		Prefix      *string           `json:"prefix"`
		Cleanup     *bool             `json:"cleanup"`
		Suffix      *string           `json:"suffix"`
		Replacement string            `json:"replacement"`
		Scheme      string            `json:"prepend_scheme"`
		AddPrefix   *bool             `json:"add_prefix_space"`
		Pad         string            `json:"pad_token"`
		Word        string            `json:"word_delimiter_token"`
	}
	if err := read(data, &f, steps); err != nil {
		return nil, err
	}
	clean := f.Cleanup == nil || *f.Cleanup
	switch kind {
	case "Sequence":
		var list []decoder
		for _, d := range f.Decoders {
			n, err := readDecoder(d, steps)
			if err != nil {
				return nil, err
			}
			if n != nil {
				list = append(list, n)
			}
		}
		return func(tokens []string) []string {
			for _, d := range list {
				tokens = d(tokens)
			}
			return tokens
		}, nil
	case "ByteLevel":
		return fromBytes, nil
	case "WordPiece":
		prefix := "##"
		if f.Prefix != nil {
			prefix = *f.Prefix
		}
		return fromPieces(prefix, clean), nil
	case "Metaspace":
		mark, scheme, err := metaspaceOf(f.Replacement, f.Scheme, f.AddPrefix)
		if err != nil {
			return nil, err
		}
		return fromMeta(mark, scheme), nil
	case "BPEDecoder":
		suffix := "</w>"
		if f.Suffix != nil {
			suffix = *f.Suffix
		}
		return fromSuffix(suffix), nil
	case "ByteFallback":
		return fromByteTokens, nil
	case "Fuse":
		return func(tokens []string) []string { return []string{strings.Join(tokens, "")} }, nil
	case "Strip":
		if f.Content == "" {
			return nil, fmt.Errorf("the content is empty; correct the file")
		}
		return stripped(f.Content, f.Start, f.Stop), nil
	case "Replace":
		x, err := f.Pattern.compile()
		if err != nil {
			return nil, err
		}
		return func(tokens []string) []string {
			out := make([]string, len(tokens))
			for i, t := range tokens {
				s, err := x.replace(t, f.Content)
				if err != nil { // a token that takes too long stays
					s = t
				}
				out[i] = s
			}
			return out
		}, nil
	case "CTC":
		return ctc(f.Pad, f.Word, clean), nil
	}
	return nil, fmt.Errorf("the type %q is not supported; use a tokenizer of another kind", kind)
}
