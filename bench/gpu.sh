#!/usr/bin/env bash
# Checks and measures a GPU. Where Go is installed, and no GPU is needed:
#
#	bench/gpu.sh build DIR      # test binaries without cgo, and the data they read
#
# Carry DIR to a machine with a GPU and its driver, nothing else, and run there
#
#	DIR/gpu.sh run DIR [STEP...]   # WEFT_DEVICE=cuda:0 unless set
#
# The steps are, in this order and all of them unless named: device (it can be used), checks (as
# many processes at once as there are processors, for CHECK_SECONDS (300) at most: what has not
# ended then has failed), launch, first, figures, torch, jax (by gpu_peers.py, where they are
# installed), and table, which prints the rows of BENCHMARKS.md from what the others have measured.
# All together end within RUN_SECONDS (1440); a step that fails or is out of time keeps what it has
# measured. DIR/logs has all output; steps that are named add to it.
set -uo pipefail
packages=${PACKAGES:-. ./transforms ./runtime ./lower ./lower/stablehlo ./stablehlo ./jaxpr ./trace ./core/prim ./lax ./nn ./optim ./random ./linalg ./fft ./special ./stats}
shared=". ./transforms ./core/prim ./runtime" # packages whose tests are divided among processes
programs=10000                                # random programs

# job runs a check: a name, a folder, the command. It writes its status and seconds to results.
job() {
	local name=$1 folder=$2 start status
	shift 2
	start=$(date +%s)
	(cd "$folder" && timeout -k 2 $((deadline > start ? deadline - start : 1)) "$@") >"$logs/$name.log" 2>&1
	status=$?
	echo "$status $name $(($(date +%s) - start))" >>"$logs/results"
}

# jobs prints the checks, a line each.
jobs() {
	local n=$1 i each p name tests
	for i in $(seq "$n"); do
		echo "samples-$i . env WEFT_SAMPLES=$i/$n ./$kind.test -test.v -test.run Samples"
	done
	each=$((programs / n + 1))
	for i in $(seq "$n"); do
		echo "programs-$i src/transforms ./weft_transforms.test -test.v -test.run TestProgramsOnDevices -devices.on $WEFT_DEVICE -devices.programs $each -devices.from $((20000000 + each * i))"
	done
	for p in $packages; do
		name=weft$(echo "$p" | tr -d . | tr / _)
		case " $shared " in
		*" $p "*)
			tests=$(cd "src/$p" && "./$name.test" -test.list '^Test' | grep '^Test')
			for i in $(seq "$n"); do
				echo "$name-$i src/$p env WEFT_EXECUTOR=$WEFT_DEVICE ./$name.test -test.short -test.run ^($(echo "$tests" | awk -v n="$n" -v i="$i" 'NR % n == i % n' | paste -sd '|'))\$"
			done
			;;
		*) echo "$name src/$p env WEFT_EXECUTOR=$WEFT_DEVICE ./$name.test -test.short" ;;
		esac
	done
	echo "operations . ./$kind.test -test.v -test.run Operations"
	echo "programs-by-hand . env WEFT_SAMPLES=all ./device.test -test.v -test.run OnDevices"
}

# step runs a command for so many seconds at most, less where the time of the run is over, and
# appends its output to a log.
step() {
	local name=$1 seconds=$2 status left
	shift 2
	left=$((end - $(date +%s)))
	[ "$left" -gt 0 ] || { echo "FAILED: $name: no time is left"; return 1; }
	timeout -k 5 $((left < seconds ? left : seconds)) "$@" 2>&1 | grep --line-buffered -v '^goos\|^goarch\|^pkg\|^cpu\|^PASS' | tee -a "$logs/$name.log"
	status=${PIPESTATUS[0]}
	[ "$status" = 0 ] || echo "FAILED: $name, status $status$([ "$status" = 124 ] && echo ' (not ended)')"
	return "$status"
}

# bench runs benchmarks of bench.test that match a pattern, with settings of the environment.
bench() {
	local name=$1 seconds=$2 pattern=$3
	shift 3
	step "$name" "$seconds" env "$@" ./bench.test -test.run '^$' -test.bench "$pattern" -test.benchtime "${time:-300ms}" -test.timeout 0
}

step_device() {
	command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader | tee "$logs/gpu.log"
	step device 120 ./bench.test -test.v -test.run '^TestDeviceIsThere$' || exit 1
}

step_checks() {
	local n=${PROCESSES:-$(nproc)} bad=0
	rm -f "$logs/results"
	deadline=$(($(date +%s) + ${CHECK_SECONDS:-300}))
	[ "$deadline" -le "$end" ] || deadline=$end
	export deadline
	jobs "$n" >"$logs/jobs"
	xargs -a "$logs/jobs" -d '\n' -P "$n" -I{} bash -c 'set -f; job $1' _ {}
	echo "=== checks: $(wc -l <"$logs/results"), seconds in all: $(awk '{s += $3} END {print s}' "$logs/results")"
	while read -r status name seconds; do
		[ "$status" = 0 ] && continue
		bad=1
		echo "FAILED: $name, status $status after $seconds s$([ "$status" = 124 ] && echo ' (not ended)')"
		grep -h -- '--- FAIL\|^panic\|_test.go:' "$logs/$name.log" | head -5
	done < <(sort "$logs/results")
	[ "$(wc -l <"$logs/results")" = "$(wc -l <"$logs/jobs")" ] || { echo "FAILED: some checks have not run"; bad=1; }
	return $bad
}

step_launch() {
	echo "=== the driver's part of a launch is a function that does nothing: what is measured is ours"
	step launch 60 "./$kind.test" -test.run '^$' -test.bench 'Launch$'
}

step_first() {
	local cache bad=0
	echo "=== first call of a perceptron step, nothing cached; machine code cached, three times; the device is opened before"
	rm -rf "$dir/first"
	for cache in off "$dir/first" "$dir/first" "$dir/first" "$dir/first"; do
		time=1x bench first 60 DeviceFirstCall CUDA_CACHE_DISABLE=1 WEFT_CUDA_CACHE="$cache" || bad=1
	done
	return $bad
}

step_figures() {
	local bad=0
	echo "=== figures"
	bench figures 420 '^BenchmarkDevice$' || bad=1
	bench figures 180 '^BenchmarkTensorDevice$' || bad=1
	bench mma 120 '^BenchmarkTensorDevice$' WEFT_CUDA_WGMMA=off || bad=1
	bench figures 180 '^BenchmarkStepDevice$' || bad=1
	return $bad
}

peer() {
	python3 -c "import $1" 2>/dev/null || { echo "=== $1 is not installed"; return 0; }
	echo "=== $1"
	step "$1" 420 python3 gpu_peers.py "$1"
}

step_torch() { peer torch; }

step_jax() { XLA_PYTHON_CLIENT_PREALLOCATE=false peer jax; }

step_table() { python3 gpu_peers.py table "$logs"; }

case "${1:-}" in
build)
	dir=$(mkdir -p "$2" && cd "$2" && pwd)
	cd "$(dirname "$0")/.."
	export CGO_ENABLED=0
	for p in cuda opencl device; do
		go test -c -o "$dir/$p.test" "./runtime/$p" || exit 1
	done
	go test -c -tags drivers -o "$dir/bench.test" ./bench || exit 1
	for p in $packages; do
		name=$(echo "$p" | tr -d . | tr / _)
		mkdir -p "$dir/src/$p"
		go test -c -tags drivers -o "$dir/src/$p/weft$name.test" "$p" || exit 1
		[ ! -d "$p/testdata" ] || cp -r "$p/testdata" "$dir/src/$p/"
	done
	[ ! -d ../shared/jax ] || echo "golden data: carry ../shared and set WEFT_GOLDEN there"
	cp bench/gpu.sh bench/gpu_peers.py "$dir/"
	;;
run)
	dir=$(cd "$2" && pwd)
	cd "$dir" || exit 2
	shift 2
	export WEFT_DEVICE=${WEFT_DEVICE:-cuda:0} logs=$dir/logs WEFT_CUDA_CACHE=$dir/cache
	export -f job
	kind=${WEFT_DEVICE%%:*}
	end=$(($(date +%s) + ${RUN_SECONDS:-1440}))
	[ $# -gt 0 ] || rm -rf "$logs" "$dir/cache"
	mkdir -p "$logs" "$dir/cache"
	failed=0
	for s in ${*:-device checks launch first figures torch jax table}; do
		"step_$s" || failed=1
	done
	exit $failed
	;;
*)
	sed -n '2,15p' "$0"
	exit 2
	;;
esac
