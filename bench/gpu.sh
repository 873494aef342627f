#!/usr/bin/env bash
# Checks and measures a GPU. Where Go is installed, and no GPU is needed:
#
#	bench/gpu.sh build DIR      # test binaries without cgo, and the data they read
#
# Carry DIR to a machine with a GPU and its driver, nothing else, and run there
#
#	DIR/gpu.sh run DIR          # WEFT_DEVICE=cuda:0 unless set
#
# Every check must pass; then the figures follow, with the device's name. Peers (PyTorch,
# JAX) are measured by bench/gpu_peers.py where they are installed.
set -uo pipefail
packages=". ./transforms ./runtime ./lower/stablehlo ./lax ./nn ./optim ./random"
case "${1:-}" in
build)
	dir=$(mkdir -p "$2" && cd "$2" && pwd)
	cd "$(dirname "$0")/.."
	export CGO_ENABLED=0
	go test -c -o "$dir/cuda.test" ./runtime/cuda || exit 1
	go test -c -o "$dir/device.test" ./runtime/device || exit 1
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
	export WEFT_DEVICE=${WEFT_DEVICE:-cuda:0} CUDA_CACHE_DISABLE=${CUDA_CACHE_DISABLE:-0}
	failed=0
	check() { # name, command …
		echo "=== $1"
		shift
		"$@" || { failed=1; echo "FAILED"; }
	}
	command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
	cd "$dir"
	check "samples of primitives in every type, random operations" env WEFT_SAMPLES=all ./cuda.test -test.v -test.run 'OnDevices' -test.timeout 60m
	for t in src/*.test src/*/*.test src/*/*/*.test; do
		[ -e "$t" ] || continue
		check "$t on $WEFT_DEVICE" env -C "$(dirname "$t")" WEFT_EXECUTOR="$WEFT_DEVICE" "./$(basename "$t")" -test.short -test.timeout 60m
	done
	check "the driver's part of a launch, and ours" ./cuda.test -test.run '^$' -test.bench Launch
	check "figures" ./bench.test -test.run '^$' -test.bench 'Device$' -test.benchtime 1s -test.timeout 60m
	check "first call, nothing cached" env CUDA_CACHE_DISABLE=1 WEFT_CUDA_CACHE=off ./bench.test -test.run '^$' -test.bench DeviceFirstCall -test.benchtime 1x
	WEFT_CUDA_CACHE=$dir/cache ./bench.test -test.run '^$' -test.bench DeviceFirstCall -test.benchtime 1x >/dev/null
	check "first call, machine code cached" env WEFT_CUDA_CACHE="$dir/cache" ./bench.test -test.run '^$' -test.bench DeviceFirstCall -test.benchtime 1x
	for peer in torch jax; do
		python3 -c "import $peer" 2>/dev/null && check "peer $peer" python3 gpu_peers.py "$peer"
	done
	exit $failed
	;;
*)
	sed -n '2,12p' "$0"
	exit 2
	;;
esac
