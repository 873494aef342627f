// Package mpi carries the exchanges of a mesh between the processes of an MPI job.
//
//	t, err := mpi.Open()
//	if err != nil {
//		log.Fatal(err)
//	}
//	err = mesh.Run(t, train)
//
// The library is loaded without cgo when Open is called: the one that the variable WEFT_MPI names,
// or the one beside the launcher that started the process, or the system's. MPI's standard ABI is
// understood, and the older ones of MPICH (Intel MPI, MVAPICH and others share it) and of Open MPI.
// Launcher and library must belong together.
//
// Calls of the library come from one thread at a time and never block: requests are polled, so
// that contexts end them. A process that fails prints why, and MPI_Abort ends the job.
package mpi
