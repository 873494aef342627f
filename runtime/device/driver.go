package device

import (
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// A Driver controls one device. Commands run in the order in which they are given, some
// time after. Many goroutines may use a driver at once.
type Driver interface {
	// Name returns the executor's name, such as opencl:0.
	Name() string

	// Available returns nil, or an error that says why the device cannot be used. It may
	// take a while when it is called first.
	Available() error

	// Description describes the device. If it cannot be used, Description says why.
	Description() string

	// Build translates functions. A kernel lives as long as something refers to it. If a kernel runs in smaller groups
	// only, the error is a [GroupError].
	Build(fs []*simt.Func) (Code, error)

	// Capacity returns the bytes of the device's memory, 0 if they are not known. It is
	// called only after Available has returned nil.
	Capacity() int

	// Alloc returns device memory of n bytes, n > 0. If there is not enough, its error has a
	// method OutOfMemory that returns true.
	Alloc(n int) (Memory, error)

	// Free releases memory once the commands that were given have run.
	Free(m Memory)

	// Write copies data to the device. data can be changed when it returns.
	Write(dst Memory, offset int, data []byte) error

	// Read copies from the device. The caller has waited for the commands that compute the
	// bytes. Read waits for no command that was given later, and later commands do not wait for it.
	Read(data []byte, src Memory, offset int) error

	// Enter prepares the goroutine for Launch and Copy, which are called between Enter and
	// Leave.
	Enter() error

	// Leave undoes Enter.
	Leave()

	// Copy copies within the device.
	Copy(dst Memory, at int, src Memory, from, n int) error

	// Launch runs a kernel with a number of groups on buffers and values of its symbols.
	Launch(k Kernel, groups int, buffers []Place, symbols []int64) error

	// Mark returns a mark after the commands given so far. It is called between Enter and
	// Leave.
	Mark() (Mark, error)

	// Wait waits until the commands before a mark have run, and returns the error of one that
	// failed. It may wait for some commands after the mark, too.
	Wait(m Mark) error
}

// An Uploader is a Driver that copies to the device concurrently with other commands. Uploads have marks of their own.
type Uploader interface {
	Driver

	// Upload copies data to dst, which no command after the mark `free` uses: the copy waits for the
	// commands before that mark only. data can be changed when it returns. It returns the mark of the copy.
	Upload(dst Memory, data []byte, free Mark) (Mark, error)

	// Join makes the commands that follow wait for an upload.
	Join(upload Mark) error

	// Arrived waits for an upload.
	Arrived(upload Mark) error

	// Last returns the latest mark. The commands given so far are before the next one.
	Last() Mark

	// Over reports whether the commands before a mark are known to have run.
	Over(m Mark) bool
}

// A Ranger shows the calls of programs to a profiler as ranges of the calling thread.
type Ranger interface {
	// Begin begins a range whose name ends with a zero.
	Begin(name []byte)

	// End ends the range that began last.
	End()
}

// A Peer is an Uploader that also copies from other devices.
type Peer interface {
	Uploader

	// Reaches reports whether the driver can copy from the device of another driver.
	Reaches(other Driver) bool

	// CopyFrom copies n bytes of src, on another device, to dst, which no command after the mark `free` uses. The bytes of src are
	// complete once mark is over: a mark of the other driver's uploads if uploaded is true, otherwise of its commands. Later commands
	// of the other device wait for the copy. CopyFrom returns the mark of the copy, which is a mark of uploads.
	CopyFrom(dst Memory, free Mark, other Driver, src Memory, offset, n int, mark Mark, uploaded bool) (Mark, error)
}

// Mark is a point in the order of a driver's commands. Later marks are greater.
type Mark uint64

// A Measurer is a Driver that describes its device to the planners.
type Measurer interface {
	// Machine describes the device. It is called when the device is available.
	Machine() schedule.Device
}

// Memory is a driver's handle of device memory.
type Memory uintptr

// Kernel is a driver's kernel. It may have a method Resident() int, which returns the number of
// groups that the device runs at once, 0 if that is not known.
type Kernel any

// Code is the result of Build.
type Code struct {
	Kernels []Kernel // by function
	Bytes   int      // of text or machine code
}

// Place is a position in device memory. Offset is in bytes.
type Place struct {
	Memory Memory
	Offset int
}
