package ptxeval

import (
	"strings"

	"github.com/weft-go/weft/lower/simt"
)

// fetched is what a cp.async brings to shared memory.
type fetched struct {
	address uint64
	total   int // bytes
	data    [16]byte
	from    uint64 // where it is copied from
	n       int    // bytes that are copied; zeros follow
}

// decodeFetch decodes the instructions of copies to shared memory.
func decodeFetch(in *inst, want func(...string) error) error {
	name := strings.Join(in.op, ".")
	unknown := bugf("%s is not known", name)
	switch name {
	case "cp.async.commit_group":
		in.kind = commit
		return want()
	case "cp.async.wait_group":
		in.kind = await
		return want("v")
	case "cp.async.ca.shared.global", "cp.async.cg.shared.global":
	default:
		return unknown
	}
	in.kind, in.space = fetch, "shared"
	kinds := []string{"m", "m", "v", "v"}
	if len(in.args) == 3 {
		kinds = kinds[:3]
	}
	if err := want(kinds...); err != nil {
		return err
	}
	total := in.args[2].bits
	if total != 16 && (in.op[2] == "cg" || total != 4 && total != 8) {
		return bugf("%s copies no %d bytes", name, total)
	}
	in.bytes = 4 // of the words whose uses are recorded
	return nil
}

// fetch begins a copy to shared memory: zeros behind the bytes that it reads.
func (v *machine) fetch(t *thread, in *inst) {
	to, from := &in.args[0], &in.args[1]
	total := int(in.args[2].bits)
	n := total
	if len(in.args) == 4 {
		n = int(v.value(t, &in.args[3]))
	}
	if !t.written[to.reg] || !t.written[from.reg] || v.fault != nil {
		v.fault = errUnset
		return
	}
	f := fetched{address: t.regs[to.reg] + to.bits, total: total, from: t.regs[from.reg] + from.bits, n: n}
	global := *in
	global.space, global.bytes = "global", 4
	piece := total
	if n > total || n > 0 && n < total && total < 16 {
		v.fault = bugf("%d bytes of %d are copied", n, total)
		return
	}
	if n > 0 && f.from%uint64(total) != 0 {
		v.fault = bugf("%d bytes from address %#x, which is not aligned", total, f.from)
		return
	}
	if n < total { // zeros follow
		piece, global.bytes = 2, 2
	}
	for i := 0; i < n; i += piece {
		b := v.place(t, &global, f.from+uint64(i), piece, simt.Reads)
		if b == nil {
			return
		}
		copy(f.data[i:], b)
	}
	b := v.place(t, in, f.address, total, simt.Writes)
	if b == nil {
		return
	}
	poison(b)
	for i := 0; i < total; i += 4 {
		v.flight[f.address&offsetMask/4+uint64(i/4)] = true
	}
	v.flying += total / 4
	t.open = append(t.open, f)
	v.sources++
}

// isSource reports whether n bytes at an address may still be read by copies to shared memory.
func (v *machine) isSource(address uint64, n int) bool {
	overlap := func(fs []fetched) bool {
		for i := range fs {
			f := &fs[i]
			if address < f.from+uint64(f.n) && f.from < address+uint64(n) {
				return true
			}
		}
		return false
	}
	for i := range v.threads {
		t := &v.threads[i]
		if overlap(t.open) {
			return true
		}
		for _, set := range t.sets {
			if overlap(set) {
				return true
			}
		}
	}
	for _, c := range v.async().flying {
		if address < c.high && c.low < address+uint64(n) {
			return true
		}
	}
	return false
}

// await completes the sets of copies of a thread but the last ones.
func (v *machine) await(t *thread, in *inst) {
	place := *in
	place.space, place.bytes = "shared", 4
	for len(t.sets) > int(in.args[0].bits) && v.fault == nil {
		v.sources -= len(t.sets[0])
		for _, f := range t.sets[0] {
			for i := 0; i < f.total; i += 4 {
				v.flight[f.address&offsetMask/4+uint64(i/4)] = false
			}
			v.flying -= f.total / 4
			copy(v.place(t, &place, f.address, f.total, simt.Writes), f.data[:f.total])
		}
		t.sets = t.sets[1:]
	}
}
