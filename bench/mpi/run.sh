#!/usr/bin/env bash
# Compares exchanges of 2 processes over runtime/mpi with the MPI library's own, which a C program
# calls: 8 bytes and 4 MB each, gathered (MPI_Allgather) and exchanged in parts (MPI_Alltoall). The
# two programs alternate; the least time of each counts.
#
#	bench/mpi/run.sh DIR…    folders of installations, with bin/mpiexec, bin/mpicc and lib
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
CGO_ENABLED=0 go build -o "$out/weft" .
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for dir; do
	for lib in "$dir"/lib/libmpi.so.{12,40}; do
		[ ! -e "$lib" ] || break
	done
	include=$dir/include
	[ -e "$include/mpi.h" ] || include=$MPICH_INCLUDE # Intel's package has no header; MPICH's fits
	gcc -O2 -I"$include" library/exchange.c -o "$out/library" "$lib" -Wl,-rpath,"$dir/lib"
	export I_MPI_ROOT=$dir
	for _ in $(seq "${ROUNDS:-5}"); do
		timeout 60 "$dir/bin/mpiexec" -n 2 "$out/library"
		timeout 60 "$dir/bin/mpiexec" -n 2 "$out/weft"
	done >"$out/times"
	echo "== $(basename "$dir"), $(uptime | sed 's/.*load/load/')"
	awk '{ k = $2 " " $3; t[k]; if (!(($1, k) in least) || $4 < least[$1, k]) least[$1, k] = $4 }
		END { for (k in t) printf "%-18s library %9.2f us   weft %9.2f us   ratio %.2f\n", k, least["library", k], least["weft", k], least["weft", k] / least["library", k] }' "$out/times" | sort
done
