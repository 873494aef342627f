package mesh

import "context"

// A Transport carries bytes between the processes of a job. Package runtime/mpi has the one that
// programs use.
//
// All processes of a group call the same methods in the same order, each with the same number of bytes; a
// group lists ranks in ascending order, the own one among them. If a process calls another method, or has
// another number of bytes, the calls fail. Only one call is in progress at a time. The slices belong to
// the caller again when the call returns, and must not overlap.
//
// A call that ctx ends returns an error that wraps context.Cause(ctx) and names the processes that
// it waits for. After an error of a call, only Close may be called.
type Transport interface {
	// Rank returns the number of this process, from 0, and how many there are.
	Rank() (rank, size int)
	// Gather sends the bytes `in` to every process of the group. It puts what each of them sent into out, in
	// the order of the group: len(out) is len(in)·len(group).
	Gather(ctx context.Context, group []int, in, out []byte) error
	// Exchange cuts the bytes `in` into len(group) equal parts and sends part i to process group[i]. It puts the
	// parts for this process into out, in the order of the group: len(out) is len(in).
	Exchange(ctx context.Context, group []int, in, out []byte) error
	// Permute sends the bytes `in` to the process `to`, and puts what the process `from` sends here into out, which
	// is as long. Either rank may be -1: then nothing is sent, or out stays as it is. A process may send to itself.
	Permute(ctx context.Context, to, from int, in, out []byte) error
	// Close ends the process's part in the job. If cause is not nil, calls of the other processes
	// fail with its text, and so may one that is in progress here.
	Close(cause error) error
}
