package schedule

// A Device describes a device to the planners. Where one of the first six numbers is 0, it is not known, and the
// planners assume the number of a large GPU.
type Device struct {
	Units  int // multiprocessors
	Shared int // bytes of shared memory that a group may have
	Room   int // bytes of shared memory of a multiprocessor
	Stages int // stages of shared memory at most: 2 where threads wait for their copies to it
	Adds   int // bytes of the largest integers that threads can add to concurrently
	Group  int // threads that a group may have

	Cluster int // groups that can read each other's shared memory; 0 or 1: a group reads only its own

	Buffers int   // buffers of a kernel at most
	Digits  int64 // elements of a row from which sorts by digits take less time than merges; 0: merges always do
}

// largeGPU has the sizes of an H100.
var largeGPU = Device{Units: 132, Shared: 48 << 10, Room: 227 << 10, Stages: 4, Adds: 8, Group: 1024}

// known returns d with assumed values in the place of unknown ones. Shared is no more than that of largeGPU.
func (d Device) known() Device {
	or := func(n, other int) int {
		if n > 0 {
			return n
		}
		return other
	}
	d.Group = or(d.Group, largeGPU.Group)
	d.Units, d.Shared, d.Room, d.Stages, d.Adds = or(d.Units, largeGPU.Units), or(d.Shared, largeGPU.Shared), or(d.Room, largeGPU.Room), or(d.Stages, largeGPU.Stages), or(d.Adds, largeGPU.Adds)
	d.Shared = min(d.Shared, largeGPU.Shared)
	return d
}

// GroupThreads returns the number of threads that a group may have.
func (d Device) GroupThreads() int { return d.known().Group }

// Threads returns n, a power of two, halved until a group may have as many
// threads.
func (d Device) Threads(n int) int {
	for n > d.GroupThreads() {
		n /= 2
	}
	return n
}

// Small reports whether groups have fewer threads than some kernels need.
func (d Device) Small() bool { return d.GroupThreads() < mostThreads }

// PortableCluster is the number of groups in the largest cluster that every NVIDIA GPU with clusters has.
const PortableCluster = 8

// WarpDigits is Digits of devices on which 32 neighbouring threads exchange bits at once.
const WarpDigits = 1 << 14

// ByDigits reports whether rows of the given number of elements are sorted by digits.
func (d Device) ByDigits(elements int64) bool { return d.Digits > 0 && elements >= d.Digits }
