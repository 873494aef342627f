// The library's own exchanges of 2 processes, as a C program calls them. See run.sh.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { blocks = 51 };

static int compare(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv) {
	MPI_Init(&argc, &argv);
	int rank, size;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	const char *names[] = {"gather", "exchange", "permute", "allreduce"};
	size_t sizes[] = {8, 1 << 10, 32 << 10, 4 << 20};
	for (int k = 0; k < 4; k++) {
		size_t n = sizes[k];
		char *in = malloc(n), *out = malloc(n * size);
		memset(in, 0, n);
		memset(out, 0, n * size);
		int reps = n > 100000 ? 4 : n > 10000 ? 20 : 200;
		for (int kind = 0; kind < 4; kind++) {
			double times[blocks];
			for (int b = 0; b < blocks; b++) {
				MPI_Barrier(MPI_COMM_WORLD);
				double t = MPI_Wtime();
				for (int i = 0; i < reps; i++)
					switch (kind) {
					case 0:
						MPI_Allgather(in, n, MPI_BYTE, out, n, MPI_BYTE, MPI_COMM_WORLD);
						break;
					case 1:
						MPI_Alltoall(in, n / size, MPI_BYTE, out, n / size, MPI_BYTE, MPI_COMM_WORLD);
						break;
					case 2:
						MPI_Sendrecv(in, n, MPI_BYTE, (rank + 1) % size, 1, out, n, MPI_BYTE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
						break;
					case 3:
						MPI_Allreduce(in, out, n / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
						break;
					}
				times[b] = (MPI_Wtime() - t) / reps * 1e6;
			}
			qsort(times, blocks, sizeof *times, compare);
			if (rank == 0)
				printf("library %s %zu %.3f %.3f\n", names[kind], n, times[0], times[blocks / 2]);
		}
		free(in);
		free(out);
	}
	MPI_Finalize();
	return 0;
}
