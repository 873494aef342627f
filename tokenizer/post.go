package tokenizer

// A postProcessor adds tokens around texts; the second is nil if there is one only.
type postProcessor func(a Encoding, b *Encoding) Encoding

// around returns the tokens of one text or two with those around them, cut to the file's length.
func (t *Tokenizer) around(a Encoding, b *Encoding) Encoding {
	post := t.post
	if post == nil {
		post = joined
	}
	if t.truncate != nil {
		n := t.truncate.MaxLength
		var empty Encoding
		if b == nil {
			a = t.truncate.cut(a, max(0, n-len(post(empty, nil).IDs)))
		} else {
			second := *b
			a, second = t.truncate.pair(a, second, max(0, n-len(post(empty, &empty).IDs)))
			b = &second
		}
	}
	return post(a, b)
}

// joined concatenates the encodings of one or two texts.
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

// truncation is the length at which texts are cut.
type truncation struct {
	MaxLength int    `json:"max_length"`
	Strategy  string `json:"strategy"`
	Direction string `json:"direction"`
}

func (t *truncation) cut(e Encoding, n int) Encoding {
	k := len(e.IDs)
	if k <= n {
		return e
	}
	lo, hi := 0, n
	if t.Direction == "Left" {
		lo, hi = k-n, k
	}
	return Encoding{e.IDs[lo:hi], e.Tokens[lo:hi], e.Types[lo:hi]}
}

// pair cuts two texts to n tokens together.
func (t *truncation) pair(a, b Encoding, n int) (Encoding, Encoding) {
	x, y := len(a.IDs), len(b.IDs)
	if x+y <= n {
		return a, b
	}
	switch t.Strategy {
	case "OnlyFirst":
		return t.cut(a, max(0, n-y)), b
	case "OnlySecond":
		return a, t.cut(b, max(0, n-x))
	}
	// The longer one is cut first, until both have half of the tokens.
	small := min(x, y)
	large := max(small, n-small)
	if small+large > n {
		small = n / 2
		large = small + n%2
	}
	if x > y {
		small, large = large, small
	}
	return t.cut(a, small), t.cut(b, large)
}

// templateItem is a part of a template: a text, or tokens.
type templateItem struct {
	sequence string // "A", "B", or ""
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
