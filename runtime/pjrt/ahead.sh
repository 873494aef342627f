#!/usr/bin/env bash
# Compiles what Weft exports (TestAhead) for processors, TPUs and NVIDIA's GPUs, without the devices: ahead.sh [FOLDER [cpu] [tpu] [gpu]].
# Plugins that FOLDER lacks come from PyPI (1.5 GB in all). WEFT_SAMPLES=1/4 takes one of four programs; WEFT_GOLDEN names the folder
# of programs; WEFT_AHEAD_LIMIT=10m waits longer than two minutes for the compiler at each, and those that take longer are listed. It exits with
# status 1 if a program does not compile.
set -euo pipefail
folder=$(realpath -m "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/weft-plugins}")
shift || true
cd "$(dirname "$0")"
export CGO_ENABLED=0 TF_CPP_MIN_LOG_LEVEL=3 TPU_SKIP_MDS_QUERY=1 WEFT_SAMPLES=${WEFT_SAMPLES:-all}
mkdir -p "$folder"
test=$folder/pjrt.test status=0
go test -c -o "$test" .
get() { # packages
	for package; do
		[ -e "$folder/${package%%=*}" ] || python3 -m pip install -q --no-deps --target "$folder/${package%%=*}" "$package"
	done
}
compile() { # plugin, what for, flags of XLA
	local log=$folder/$device.log
	XLA_FLAGS=${3:-} "$test" -test.run '^TestAhead$' -test.v -test.timeout 0 -plugin "$folder/$1" -ahead "$2" -ahead-limit "${WEFT_AHEAD_LIMIT:-2m}" >"$log" 2>&1 || {
		status=1
		grep -E '^ +--- FAIL' "$log" || tail -n 20 "$log"
		echo "failed: $log"
	}
	awk '/=== RUN/ {name = $3} /no end of the compiler/ {print name ": no end in " $NF}' "$log"
	grep 'compile,' "$log" || true
}
[ $# -gt 0 ] || set -- cpu tpu gpu
for device; do
	case $device in
	cpu)
		get lammps-jax-pjrt-cpu
		compile lammps-jax-pjrt-cpu/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so here
		;;
	tpu)
		get libtpu
		compile libtpu/libtpu/libtpu.so v5e:2x4
		;;
	gpu)
		get jax-cuda13-pjrt nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88
		mkdir -p "$folder/cuda"
		cp -rn "$folder"/nvidia-*/nvidia/cu13/. "$folder/cuda/" # ptxas and libdevice, where the compiler looks for them
		compile jax-cuda13-pjrt/jax_plugins/xla_cuda13/xla_cuda_plugin.so testdata/h100.txt "--xla_gpu_cuda_data_dir=$folder/cuda"
		;;
	*)
		echo "$device is none of cpu, tpu and gpu" >&2
		exit 2
		;;
	esac
done
exit $status
