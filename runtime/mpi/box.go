package mpi

import (
	"sync/atomic"
	"unsafe"
)

// A box is memory in which a process finds the first messages of another process of its machine. A
// message has arrived when its number stands in its slot. The sender does not write into a slot
// before the receiver has taken the previous message from it.
type box struct {
	memory []byte
	number uint64 // of messages put (by the sender) or taken (by the receiver) so far
	taken  uint64 // messages that the receiver has taken, as far as the sender knows
}

// A box begins with the number of messages that were taken, and each slot with the number of its
// message. The sender and the receiver never write to the same cache line.
const (
	boxSlots    = 4
	boxLine     = 64
	slotBytes   = boxLine + firstBytes
	numberBytes = 8
	pageBytes   = 64 << 10 // at least the size of a page of memory
	boxBytes    = (boxLine + boxSlots*slotBytes + pageBytes - 1) / pageBytes * pageBytes
)

func (b *box) slot() []byte {
	at := boxLine + int(b.number%boxSlots)*slotBytes
	return b.memory[at : at+slotBytes]
}

func number(memory []byte) *uint64 { return (*uint64)(unsafe.Pointer(&memory[0])) }

// put writes the first message of data into the next slot. It returns false if all slots are full.
func (b *box) put(kind byte, data []byte) bool {
	if b.number-b.taken >= boxSlots {
		if b.taken = atomic.LoadUint64(number(b.memory)); b.number-b.taken >= boxSlots {
			return false
		}
	}
	s := b.slot()
	compose(s[numberBytes:numberBytes+firstBytes], kind, data)
	b.number++
	atomic.StoreUint64(number(s), b.number)
	return true
}

// message returns the next message, nil if it has not arrived.
func (b *box) message() []byte {
	s := b.slot()
	if atomic.LoadUint64(number(s)) != b.number+1 {
		return nil
	}
	return s[numberBytes : numberBytes+firstBytes]
}

// take frees the slot of the message that the method message has returned.
func (b *box) take() {
	b.number++
	atomic.StoreUint64(number(b.memory), b.number)
}
