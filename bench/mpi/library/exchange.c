// The library's own exchanges of 2 processes, as a C program calls them. See run.sh.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	int rank, size;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	size_t sizes[] = {8, 4 << 20};
	for (int k = 0; k < 2; k++) {
		size_t n = sizes[k];
		char *in = malloc(n), *out = malloc(n * size);
		memset(in, 1, n);
		memset(out, 0, n * size);
		int reps = n > 1000 ? 4 : 1000;
		for (int kind = 0; kind < 2; kind++) {
			double best = 1e9;
			for (int b = 0; b < 60; b++) {
				MPI_Barrier(MPI_COMM_WORLD);
				double t = MPI_Wtime();
				for (int i = 0; i < reps; i++)
					if (kind == 0)
						MPI_Allgather(in, n, MPI_BYTE, out, n, MPI_BYTE, MPI_COMM_WORLD);
					else
						MPI_Alltoall(in, n / size, MPI_BYTE, out, n / size, MPI_BYTE, MPI_COMM_WORLD);
				t = (MPI_Wtime() - t) / reps;
				if (t < best)
					best = t;
			}
			if (rank == 0)
				printf("library %s %zu %.2f\n", kind ? "exchange" : "gather", n, best * 1e6);
		}
	}
	MPI_Finalize();
	return 0;
}
