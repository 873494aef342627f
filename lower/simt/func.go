package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Reg names a register of a thread. Registers can be assigned many times.
type Reg = scalar.Ref

// NoReg is the absent register.
const NoReg = scalar.NoRef

// A Func is a kernel as the program of one thread. Its work is cut into items, such as the points of the kernel's grid. Where
// Group is true, the threads of a group share an item; else each thread has its own. Threads take items in strides of the
// launch, so that any number of groups computes the same.
type Func struct {
	Name    string
	Pos     string // the user's line, "" if it is not known
	Kernel  *ir.Kernel
	Group   bool
	Threads int // in a group, a power of two
	Cluster int // groups that share an item and read each other's shared arrays, a power of two; 0, 1: none do

	Arrays []Array
	Types  []scalar.Type // by register
	Body   []Stmt

	Tensor    *Tensor    // the product on tensor cores that is the body; nil: the body is other statements
	Attention *Attention // the attention that is the body; nil: the body is other statements
	Gradient  *AttentionGrad
	Least     int // groups for which a multiprocessor must have registers; 0: the compiler chooses
	Resident  int // groups that a multiprocessor runs at once: more do not make it faster; 0: not known

	Values []int64 // of the last symbols, which stand for constants; see UnsizedOn

	extents []ir.Size // of the items
}

// DynamicBytes returns the bytes of shared memory that a group needs besides the function's arrays.
func (f *Func) DynamicBytes() int {
	switch {
	case f.Tensor != nil:
		return f.Tensor.SharedBytes()
	case f.Attention != nil:
		return f.Attention.SharedBytes()
	case f.Gradient != nil:
		return f.Gradient.SharedBytes()
	}
	return 0
}

// Maps returns the tensor maps that the function takes.
func (f *Func) Maps() []TensorMap {
	switch {
	case f.Tensor != nil:
		return f.Tensor.Maps()
	case f.Attention != nil:
		return f.Attention.Maps()
	}
	return nil
}

// Items returns the number of items where the symbols have the given values.
func (f *Func) Items(symbols []int64) int64 {
	n := int64(1)
	for _, e := range f.extents {
		n *= max(0, e.In(symbols))
	}
	return n
}

// Groups returns the number of groups of a launch in which each group or, where Group is false, each
// thread takes at most one item.
func (f *Func) Groups(symbols []int64) int64 {
	n := f.Items(symbols)
	if !f.Group {
		n = (n + int64(f.Threads) - 1) / int64(f.Threads)
	}
	return n
}

// Constants returns the bits of the registers that only one statement assigns, if it assigns a constant.
func (f *Func) Constants() map[Reg]uint64 {
	known := map[Reg]uint64{}
	fixed := f.Fixed()
	Walk(f.Body, func(s Stmt) {
		if o, ok := s.(*Op); ok && o.Inst.Op == scalar.OpConst && fixed[o.Dst] {
			known[o.Dst] = o.Inst.Imm
		}
	})
	return known
}

// Fixed returns the registers that only one statement assigns. They do not change in the
// statements that follow it in its list, and in the lists inside those.
func (f *Func) Fixed() map[Reg]bool {
	fixed := map[Reg]bool{}
	Walk(f.Body, func(s Stmt) {
		for _, r := range assignedBy(s) {
			_, again := fixed[r]
			fixed[r] = !again
		}
	})
	return fixed
}

// Walk calls f for each statement of a list and of the lists inside.
func Walk(b []Stmt, f func(Stmt)) {
	for _, s := range b {
		f(s)
		switch s := s.(type) {
		case *For:
			Walk(s.Body, f)
		case *While:
			Walk(s.Cond, f)
			Walk(s.Body, f)
		case *If:
			Walk(s.Then, f)
			Walk(s.Else, f)
		}
	}
}

// assignedBy returns the registers that a statement assigns, not counting those of the
// statements inside.
func assignedBy(s Stmt) []Reg {
	switch s := s.(type) {
	case *Op:
		return []Reg{s.Dst}
	case *Move:
		return []Reg{s.Dst}
	case *Special:
		return []Reg{s.Dst}
	case *Load:
		return []Reg{s.Dst}
	case *Get:
		return []Reg{s.Dst}
	case *LoadVec:
		return s.Dst
	case *GetVec:
		return s.Dst
	case *GetFrom:
		return []Reg{s.Dst}
	case *Shuffle:
		return []Reg{s.Dst}
	case *Ballot:
		return []Reg{s.Dst}
	case *For:
		return []Reg{s.Index}
	}
	return nil
}

// An Array is memory of a thread, or of a group if it is shared.
type Array struct {
	Shared bool
	Type   scalar.Type
	Len    int
}

// A Stmt is *Op, *Move, *Special, *Load, *Store, *Get, *Put, *Add, *AddTo, *LoadVec, *StoreVec, *GetVec,
// *PutVec, *GetFrom, *Shuffle, *Ballot, *Fetch, *Commit, *Await, *For, *While, *If, *Barrier, *ClusterBarrier,
// *Tensor, *Attention or *AttentionGrad.
type Stmt interface{ isStmt() }

// Op assigns the result of a scalar operation. OpParam, OpWiden and OpNarrow do not
// occur.
type Op struct {
	Dst  Reg
	Inst scalar.Inst // Args are registers; OpLookup reads the kernel's table Imm
}

// Move copies a register.
type Move struct{ Dst, Src Reg }

// What selects the value that a [Special] assigns.
type What uint8

// What a thread can ask for. All but Aligned are I32 or I64, as the register is.
const (
	Thread     What = iota // number of the thread in its group
	GroupIndex             // number of the group
	GroupCount             // number of groups in the launch
	Symbol                 // run-time size number Index
	Aligned                // Bool: whether the memory of buffer Index begins at a multiple of VecBytes
)

// VecBytes is the greatest number of bytes of an access of neighbouring elements.
const VecBytes = 16

// Special assigns a value that comes with the launch.
type Special struct {
	Dst   Reg
	What  What
	Index int
}

// Load reads an element of a buffer. At is in bounds.
type Load struct {
	Dst    Reg
	Buffer int
	At     Reg
}

// Store writes an element of a buffer.
type Store struct {
	Buffer int
	At     Reg
	Value  Reg
}

// Get reads an element of an array.
type Get struct {
	Dst   Reg
	Array int
	At    Reg
}

// Put writes an element of an array.
type Put struct {
	Array int
	At    Reg
	Value Reg
}

// LoadVec reads neighbouring elements of a buffer, from At + Plus on: one, two or four of at most
// VecBytes together, whose address is a multiple of their size.
type LoadVec struct {
	Dst    []Reg
	Buffer int
	At     Reg
	Plus   int64
}

// StoreVec writes neighbouring elements of a buffer, as LoadVec reads them.
type StoreVec struct {
	Buffer int
	At     Reg
	Plus   int64
	Values []Reg
}

// GetVec reads neighbouring elements of an array, as LoadVec does of a buffer.
type GetVec struct {
	Dst   []Reg
	Array int
	At    Reg
	Plus  int64
}

// PutVec writes neighbouring elements of an array.
type PutVec struct {
	Array  int
	At     Reg
	Plus   int64
	Values []Reg
}

// Shuffle assigns the value of Src that the thread with number tid xor Xor has. Xor is less
// than 32. All threads of the group reach it.
type Shuffle struct {
	Dst, Src Reg
	Xor      int
}

// For runs Body while Index, from From in steps of Step, is less than To. From, To and
// Step do not change in Body.
type For struct {
	Index          Reg
	From, To, Step Reg
	Body           []Stmt
}

// While runs Cond, then Body if Test is true, again and again.
type While struct {
	Cond []Stmt
	Test Reg
	Body []Stmt
}

// If runs one of two lists.
type If struct {
	Cond       Reg
	Then, Else []Stmt
}

// Barrier waits for all threads of the group, and makes what they wrote visible to each
// other.
type Barrier struct{}

func (*Op) isStmt()       {}
func (*Move) isStmt()     {}
func (*Special) isStmt()  {}
func (*Load) isStmt()     {}
func (*Store) isStmt()    {}
func (*Get) isStmt()      {}
func (*Put) isStmt()      {}
func (*LoadVec) isStmt()  {}
func (*StoreVec) isStmt() {}
func (*GetVec) isStmt()   {}
func (*PutVec) isStmt()   {}
func (*Shuffle) isStmt()  {}
func (*For) isStmt()      {}
func (*While) isStmt()    {}
func (*If) isStmt()       {}
func (*Barrier) isStmt()  {}
