#!/usr/bin/env bash
# Compiles what Weft exports (TestAhead) for processors, TPUs and NVIDIA's GPUs, without the devices: ahead.sh [FOLDER], which gets
# the plugins from PyPI (1.5 GB). WEFT_SAMPLES=1/4 takes one of four programs; WEFT_GOLDEN names the folder of programs.
set -euo pipefail
folder=$(realpath -m "${1:-${XDG_CACHE_HOME:-$HOME/.cache}/weft-plugins}")
cd "$(dirname "$0")"
export CGO_ENABLED=0 TF_CPP_MIN_LOG_LEVEL=3 TPU_SKIP_MDS_QUERY=1 WEFT_SAMPLES=${WEFT_SAMPLES:-all}
for package in lammps-jax-pjrt-cpu libtpu jax-cuda13-pjrt nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88; do
	[ -e "$folder/${package%%=*}" ] || python3 -m pip install -q --no-deps --target "$folder/${package%%=*}" "$package"
done
mkdir -p "$folder/cuda"
cp -rn "$folder"/nvidia-*/nvidia/cu13/. "$folder/cuda/" # ptxas and libdevice, where the compiler looks for them
test=$folder/pjrt.test
go test -c -o "$test" .
compile() { # plugin, what for, flags of XLA
	XLA_FLAGS=${3:-} "$test" -test.run '^TestAhead$' -test.v -test.timeout 0 -plugin "$folder/$1" -ahead "$2" | grep -E 'compile,|^ +--- FAIL|^--- ' || true
}
compile lammps-jax-pjrt-cpu/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so here
compile libtpu/libtpu/libtpu.so v5e:2x4
compile jax-cuda13-pjrt/jax_plugins/xla_cuda13/xla_cuda_plugin.so testdata/h100.txt "--xla_gpu_cuda_data_dir=$folder/cuda"
