// Package mpi carries the exchanges of a mesh between the processes of an MPI job.
//
//	t, err := mpi.Open()
//	if err != nil {
//		log.Fatal(err)
//	}
//	err = mesh.Run(t, train)
//
// A process that no launcher has started is alone and has all devices. Otherwise Open loads the
// library, without cgo: the one that the environment variable WEFT_MPI names, or the one beside the
// launcher that started the process, or the system's. MPI's standard ABI is supported, and the older
// ABIs of MPICH (which Intel MPI, MVAPICH and others share) and Open MPI. Launcher and library must
// belong to the same MPI.
//
// The library is called from one thread at a time. Exchanges poll their requests instead of blocking
// in the library, so that a context can end them. A process that fails prints why and calls
// MPI_Abort, which ends the job.
package mpi
