package arm64

// An access is the vector load or store whose code was written last.
type access struct {
	in       Inst
	at       int // where its code ends
	from, to int // its line of the listing
}

// pairOf returns one instruction for both an access and the one before it, if they are neighbours in code and in
// memory.
func (e *writer) pairOf(in *Inst) (pair Inst, ok bool) {
	if in.Op != vLdrQ && in.Op != vStrQ {
		return pair, false
	}
	p := &e.last.in
	at := len(e.enc.buf)
	if p.Op != in.Op || p.Index || in.Index || p.N != in.N || in.Imm != p.Imm+vectorBytes || e.last.at != at || int(e.enc.bound) == at {
		return pair, false
	}
	op := vStpQ
	if in.Op == vLdrQ {
		op = vLdpQ
	}
	ok = p.Imm%vectorBytes == 0 && p.Imm >= -64*vectorBytes && p.Imm < 64*vectorBytes && (op == vStpQ || p.D != in.D)
	return Inst{Op: op, D: p.D, M: in.D, N: p.N, Imm: p.Imm}, ok
}

// takeBack removes the access that was written last, before a pair takes its place.
func (e *writer) takeBack() {
	e.enc.buf = e.enc.buf[:e.last.at-4]
	e.Emitted--
	if e.Listing != nil {
		text := e.Listing.String()
		e.Listing.Reset()
		e.Listing.WriteString(text[:e.last.from])
		e.Listing.WriteString(text[e.last.to:])
	}
	e.last = access{}
}

func (e *writer) listed() int {
	if e.Listing == nil {
		return 0
	}
	return e.Listing.Len()
}
