#!/usr/bin/env bash
# Checks and measures a GPU. Where Go is installed, and no GPU is needed:
#
#	bench/gpu.sh build DIR      # test binaries without cgo, and the data they read
#
# Carry DIR to a machine with a GPU and its driver, nothing else, and run there
#
#	DIR/gpu.sh run DIR          # WEFT_DEVICE=cuda:0 unless set
#
# First every check, as many processes at once as there are processors, for CHECK_SECONDS (300)
# at most: what has not ended then has failed. Then the figures, alone, with the device's name.
# Peers (PyTorch, JAX) are measured by bench/gpu_peers.py where they are installed. Checks and
# figures together have not run on a GPU yet. DIR/logs has all output.
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

# bench runs benchmarks of bench.test that match a pattern.
bench() {
	local pattern=$1
	shift
	"$@" ./bench.test -test.run '^$' -test.bench "$pattern" -test.benchtime "${time:-300ms}" -test.timeout 10m | grep -v '^goos\|^goarch\|^pkg\|^cpu\|^PASS'
}

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
	export WEFT_DEVICE=${WEFT_DEVICE:-cuda:0} logs=$dir/logs
	kind=${WEFT_DEVICE%%:*}
	rm -rf "$logs" "$dir/cache" && mkdir -p "$logs" "$dir/cache"
	command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
	failed=0

	deadline=$(($(date +%s) + ${CHECK_SECONDS:-300}))
	export deadline WEFT_CUDA_CACHE=$dir/cache
	export -f job
	n=${PROCESSES:-$(nproc)}
	jobs "$n" >"$logs/jobs"
	xargs -a "$logs/jobs" -d '\n' -P "$n" -I{} bash -c 'set -f; job $1' _ {}
	echo "=== checks: $(wc -l <"$logs/results"), seconds in all: $(awk '{s += $3} END {print s}' "$logs/results")"
	while read -r status name seconds; do
		[ "$status" = 0 ] && continue
		failed=1
		echo "FAILED: $name, status $status after $seconds s$([ "$status" = 124 ] && echo ' (not ended)')"
		grep -h -- '--- FAIL\|^panic\|_test.go:' "$logs/$name.log" | head -5
	done < <(sort "$logs/results")
	[ "$(wc -l <"$logs/results")" = "$(wc -l <"$logs/jobs")" ] || { echo "FAILED: some checks have not run"; failed=1; }

	echo "=== the driver's part of a launch, and ours"
	"./$kind.test" -test.run '^$' -test.bench Launch | grep ns/op
	echo "=== first call of a perceptron step, nothing cached; machine code cached; the device is opened before"
	for cache in off "$dir/first" "$dir/first" "$dir/first"; do
		time=1x bench DeviceFirstCall env CUDA_CACHE_DISABLE=1 WEFT_CUDA_CACHE="$cache"
	done
	echo "=== figures"
	bench 'Device$' || failed=1
	for peer in torch jax; do
		python3 -c "import $peer" 2>/dev/null && echo "=== $peer" && python3 gpu_peers.py "$peer"
	done
	exit $failed
	;;
*)
	sed -n '2,15p' "$0"
	exit 2
	;;
esac
