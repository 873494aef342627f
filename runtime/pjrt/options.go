package pjrt

import "encoding/binary"

// Options of the compiler are a message of protocol buffers, of which few fields are needed.

// field appends a field of a number.
func field(b []byte, number int, value int64) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3)
	return binary.AppendUvarint(b, uint64(value))
}

// message appends a field of a message.
func message(b []byte, number int, m []byte) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3|2)
	b = binary.AppendUvarint(b, uint64(len(m)))
	return append(b, m...)
}

// compileOptions returns the options of a program for devices, of which each runs a part where there are
// several: Shardy divides it then.
func compileOptions(ids ...int) []byte {
	assignment := field(nil, 1, 1)                     // replica_count
	assignment = field(assignment, 2, int64(len(ids))) // computation_count
	for _, id := range ids {                           // computation_devices: replica_device_ids
		assignment = message(assignment, 3, field(nil, 1, int64(id)))
	}
	build := field(nil, 1, -1)               // device_ordinal: any
	build = field(build, 4, 1)               // num_replicas
	build = field(build, 5, int64(len(ids))) // num_partitions
	if len(ids) > 1 {
		build = field(build, 6, 1) // use_spmd_partitioning
	}
	build = message(build, 9, assignment) // device_assignment
	if len(ids) > 1 {
		build = field(build, 19, 1) // use_shardy_partitioner
	}
	return message(nil, 3, build) // executable_build_options
}
