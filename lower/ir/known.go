package ir

import "github.com/weft-go/weft/lower/scalar"

// knownOps finds the values of the scalar operations in open blocks. It is a hash table with chains. The latest
// operation is removed first.
type knownOps struct {
	heads   []int32 // by hash: 1 + the latest entry, 0: none
	entries []knownOp
}

type knownOp struct {
	in   scalar.Inst
	r    Ref
	next int32 // in the chain, as in heads
}

// slot returns the chain of an operation; the table is not empty.
func (k *knownOps) slot(in *scalar.Inst) *int32 {
	h := uint64(in.Op) | uint64(in.Type)<<8 | uint64(in.DType)<<16 | uint64(uint32(in.Args[0]))<<32
	h = (h ^ in.Imm) * 0x9e3779b97f4a7c15
	h = (h ^ h>>29 ^ uint64(uint32(in.Args[1])) ^ uint64(uint32(in.Args[2]))<<32) * 0xbf58476d1ce4e5b9
	return &k.heads[(h>>32)&uint64(len(k.heads)-1)]
}

func (k *knownOps) find(in *scalar.Inst) (Ref, bool) {
	if len(k.heads) == 0 {
		return NoRef, false
	}
	for i := *k.slot(in); i != 0; {
		e := &k.entries[i-1]
		if e.in == *in {
			return e.r, true
		}
		i = e.next
	}
	return NoRef, false
}

// add adds an operation that is not there.
func (k *knownOps) add(in *scalar.Inst, r Ref) {
	k.entries = append(k.entries, knownOp{in: *in, r: r})
	if len(k.entries) <= len(k.heads) {
		k.link(len(k.entries) - 1)
		return
	}
	k.heads = make([]int32, max(64, 2*len(k.heads)))
	for i := range k.entries {
		k.link(i)
	}
}

func (k *knownOps) link(i int) {
	e := &k.entries[i]
	s := k.slot(&e.in)
	e.next = *s
	*s = int32(i) + 1
}

func (k *knownOps) truncate(n int) {
	for i := len(k.entries) - 1; i >= n; i-- {
		e := &k.entries[i]
		*k.slot(&e.in) = e.next
	}
	k.entries = k.entries[:n]
}
