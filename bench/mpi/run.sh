#!/usr/bin/env bash
# Compares exchanges of 2 processes over runtime/mpi with the MPI library's own, which a C program
# calls from its main thread: gathered (MPI_Allgather), exchanged in parts (MPI_Alltoall) and sent to
# each other (MPI_Sendrecv). The two programs alternate; each process has a processor of its own. A run
# has 51 blocks of exchanges, and a least and a median block: medians of these over the runs, and the
# median ratio of neighbouring runs, are printed.
#
#	bench/mpi/run.sh DIR…    folders of installations, with bin/mpiexec and lib
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
CGO_ENABLED=0 go build -o "$out/weft" .
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
pinned=(sh -c 'exec taskset -c "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" "$0"')
for dir; do
	for lib in "$dir"/lib/libmpi.so.{12,40}; do
		[ ! -e "$lib" ] || break
	done
	include=$dir/include
	[ -e "$include/mpi.h" ] || include=$MPICH_INCLUDE # Intel's package has no header; MPICH's fits
	gcc -O2 -I"$include" library/exchange.c -o "$out/library" "$lib" -Wl,-rpath,"$dir/lib"
	export I_MPI_ROOT=$dir
	for r in $(seq "${ROUNDS:-5}"); do
		for p in library weft; do
			timeout "${LIMIT:-60}" "$dir/bin/mpiexec" -n 2 "${pinned[@]}" "$out/$p" | sed "s/^/$r /" >>"$out/times" || {
				[ "${PIPESTATUS[0]}" = 124 ] || exit 1
				echo "round $r: $p takes longer than ${LIMIT:-60} s" >&2
			}
		done
	done
	echo "== $(basename "$dir"), $(uptime | sed 's/.*load/load/')"
	python3 - "$out/times" <<-'END'
		import collections, statistics, sys
		runs = collections.defaultdict(dict)
		for line in open(sys.argv[1]):
		    r, program, what, n, least, median = line.split()
		    runs[what, int(n)][program, r] = float(least), float(median)
		print(f"{'us':22}{'library: least':>15}{'median':>9}{'weft: least':>13}{'median':>9}{'ratio: least':>14}{'median':>8}")
		for (what, n), got in sorted(runs.items(), key=lambda x: (x[0][1], x[0][0])):
		    row = f"{what + ' ' + str(n):22}"
		    for program, wide in ("library", 15), ("weft", 13):
		        t = [v for (p, r), v in got.items() if p == program]
		        row += f"{statistics.median(x[0] for x in t):{wide}.2f}{statistics.median(x[1] for x in t):9.2f}" if t else ""
		    pairs = [(got["weft", r], got["library", r]) for p, r in got if p == "weft" and ("library", r) in got]
		    if pairs:
		        row += f"{statistics.median(w[0] / l[0] for w, l in pairs):14.2f}{statistics.median(w[1] / l[1] for w, l in pairs):8.2f}"
		    print(row)
	END
	rm "$out/times"
done
