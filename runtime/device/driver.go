package device

import (
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// A Driver reaches one device. Commands run in the order in which they are given, some
// time after. Many goroutines use a driver at once.
type Driver interface {
	// Name returns the executor's name, as opencl:0.
	Name() string

	// Available returns nil, or why the device cannot be used. It may take a while when
	// it is called first.
	Available() error

	// Description describes the device, and tells why it is not used if so.
	Description() string

	// Build translates functions. A kernel lives as long as something refers to it.
	Build(fs []*simt.Func) (Code, error)

	// Capacity returns the bytes of the device's memory, 0 if they are not known. The device
	// is open.
	Capacity() int

	// Alloc returns device memory of n bytes, n > 0. Where there is none, its error has a method
	// OutOfMemory that returns true.
	Alloc(n int) (Memory, error)

	// Free releases memory once the commands that were given have run.
	Free(m Memory)

	// Write copies data to the device. data can be changed when it returns.
	Write(dst Memory, offset int, data []byte) error

	// Read copies from the device. The caller has waited for the commands that compute the
	// bytes. Read waits for no command that was given later, nor later ones for it.
	Read(data []byte, src Memory, offset int) error

	// Enter prepares the goroutine for Launch and Copy, which are called between it and
	// Leave.
	Enter() error

	// Leave ends what Enter began.
	Leave()

	// Copy copies within the device.
	Copy(dst Memory, at int, src Memory, from, n int) error

	// Launch runs a kernel with a number of groups on buffers.
	Launch(k Kernel, groups int, buffers []Place, symbols []int64) error

	// Mark returns a mark behind the commands given so far. It is called between Enter and
	// Leave.
	Mark() (Mark, error)

	// Wait returns when the commands before a mark have run, with the error of one that
	// failed. It may wait for some behind the mark.
	Wait(m Mark) error
}

// An Uploader is a Driver that copies to the device beside other commands. Uploads have marks of their own.
type Uploader interface {
	Driver

	// Upload copies data to memory that no command behind the mark free uses. It waits for no other
	// command. data can be changed when it returns. It returns the mark of the copy.
	Upload(dst Memory, data []byte, free Mark) (Mark, error)

	// Join lets the commands that follow wait for an upload.
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

// A Peer is an Uploader that copies from other devices without the host.
type Peer interface {
	Uploader

	// Reaches reports whether the driver copies from another one's device.
	Reaches(other Driver) bool

	// CopyFrom copies to memory that no command behind the mark free uses what another device has computed, or what was uploaded to it: the
	// elements are there after the mark, of the other one's uploads if uploaded is set. Later commands of the other device
	// wait for the copy. It returns the mark of the copy, which is one of uploads.
	CopyFrom(dst Memory, free Mark, other Driver, src Memory, offset, n int, mark Mark, uploaded bool) (Mark, error)
}

// Mark is a point in the order of a driver's commands. Later ones are greater.
type Mark uint64

// A Measurer is a Driver that describes its device to the planners.
type Measurer interface {
	// Machine describes the device. It is called when the device is available.
	Machine() schedule.Device
}

// Memory is a driver's handle of device memory.
type Memory uintptr

// Kernel is a driver's kernel. One with a method Resident states how many groups the device runs
// at once, 0 if that is not known.
type Kernel any

// Code is the result of Build.
type Code struct {
	Kernels []Kernel // by function
	Bytes   int      // of text or machine code
}

// Place is an offset, in bytes, in device memory.
type Place struct {
	Memory Memory
	Offset int
}
