#!/usr/bin/env bash
# Checks and measures a GPU, also one that is lent for minutes. Where Go is installed, and no GPU is needed:
#
#	bench/gpu.sh build DIR        # test binaries without cgo, and the sources and golden data that they read
#	bench/gpu.sh pack DIR FILE    # DIR as an archive for tar xJf; its size is printed
#
# PACKAGES=first builds the tests of the packages alone that are checked first, for a smaller archive, PACKAGES=none those of devices
# alone. TAGS=fakecuda makes cuda:0 a driver that evaluates kernels.
#
# Carry DIR to a machine with a GPU and its driver, nothing else, and run there
#
#	DIR/gpu.sh run DIR [NAME...]  # WEFT_DEVICE=cuda:0 unless set
#
# A name is a step, or a phase of steps in this order: verify (device share tensor runtime sanitize), measure (device
# launch first transfers figures torch jax table) and check (device checks table). Without names all steps run, from the beginning, within
# RUN_SECONDS (550). Named steps add to what there is: check runs what has not passed before, and rows that are measured again
# replace the old. A kernel that is wrong is not timed: after a failure of share or runtime no figures are taken, after
# one of tensor none of tensor cores. Where checks of scatters, greatest elements or Fourier transforms did not end, the step
# order is not measured.
#
# Each step writes its output to DIR/logs while it runs; a step that fails, or is out of time, keeps what it has. If
# OUT names a folder, it gets DIR/logs as logs.tar.gz after each step. table prints the rows of BENCHMARKS.md, what
# each must reach, and the checks; what was not measured, or has not run, it lists with the reason. It needs the
# folder logs alone: WEFT_LOGS=DIR/logs go test ./bench -run PrintDeviceTable prints it elsewhere.
#
# Settings: PROCESSES (the number of processors) checks run at once, for JOB_SECONDS (150) each at most; LARGE (2³²+7 with CUDA)
# are the elements of arrays whose indices need 64 bits; EVERY=20 runs
# a twentieth of the shares of each check; PROGRAMS (10000) is how many random programs run in all shares; WEFT_SECONDS (0.3) is the time of a round of calls, of which a row takes
# three; WEFT_SCALE scales arrays; PARTS=20 makes shares of operations and samples a twentieth as large; SLACK=10 gives steps and checks ten times the time.
#
#	DIR/gpu.sh try DIR [FOLDER]   # without a GPU: WEFT_DEVICE=opencl:0, or cuda:0 where TAGS=fakecuda has built DIR
#
# runs every step with the smallest arrays and shares, some tens of seconds, and fails unless each of them ends and has
# passed and each row has a figure; how large they are does not matter. Logs go to FOLDER/logs.
set -uo pipefail
first="transforms core/prim lax . nn optim linalg random custom" # packages that are checked first
divided=" transforms core/prim lax . runtime custom ode linalg jaxpr lower/stablehlo cmd/weft " # their tests are divided among processes
own="runtime/.*|lower/ptx|bench" # packages that choose executors themselves, those of devices having checks of their own, and this one
programs=${PROGRAMS:-10000} parts=${PARTS:-1} slack=${SLACK:-1} # random programs; how much smaller shares are, and how much longer steps may take

# job runs a check: a name, a folder, the command. It writes its status and seconds to results.
job() {
	local name=$1 folder=$2 start status left
	shift 2
	start=$(date +%s)
	left=$((deadline - start))
	[ "$left" -gt 0 ] || return 0
	(cd "$folder" && timeout -k 2 $((left < job_seconds ? left : job_seconds)) "$@") >"$logs/$name.log" 2>&1
	status=$?
	# A check of the device that has not run is no success.
	if [ $status = 0 ] && grep -q 'no tests to run' "$logs/$name.log"; then
		status=no-test
	elif [ "$status $name" = "0 large" ] && grep -q 'arrays of .* need .*, the device has' "$logs/$name.log"; then
		status=lacks # memory
	elif [ $status = 0 ] && { [ "$folder" = "$bits" ] || [ "${name%%-*}" = example ]; } && grep -q -- '--- SKIP' "$logs/$name.log"; then
		status=skipped
	fi
	echo "$status $name $(($(date +%s) - start))" >>"$logs/results"
	[ $status = 0 ] || [ $status = lacks ] || { echo "FAILED: $name, status $status"; grep -h -A2 -- '--- FAIL\|--- SKIP\|^panic\|^fatal error' "$logs/$name.log" | head -6; }
}

# share prints the numbers of the shares of a check that run.
share() { seq 1 "${EVERY:-1}" "$1"; }

# shares prints the shares of tests of the device's package.
shares() {
	local p n i
	for p; do
		n=$(case $p in Operations) echo $((16 * parts)) ;; Pieces) echo 1 ;; *) echo $((64 * parts)) ;; esac)
		for i in $(share "$n"); do
			echo "$(echo "$p" | tr A-Z a-z)-$i $bits env WEFT_GOLDEN=$golden WEFT_SAMPLES=$i/$n ../../../$kind.test -test.v -test.run ^Test${p}OnDevices\$"
		done
	done
}

# jobs prints the checks, a line each, the most important ones first.
jobs() {
	local i p
	shares Operations Pieces
	i=0
	for p in $(grep "${BY_HAND:-.*}OnDevices\$" device.tests); do
		echo "by-hand-$((i += 1)) $bits env WEFT_SAMPLES=$([ "$parts" = 1 ] && echo all || echo "1/$parts") ../../../device.test -test.v -test.run ^$p\$"
	done
	shares Goldens Conformance Samples
	echo "large $bits ../../../device.test -test.v -test.run ^TestIndicesOfLargeArraysOnDevices\$ -large.elements ${LARGE:-$([ "$kind" = cuda ] && echo 4294967303 || echo 1000003)}"
	[ ! -e src/examples/digits/test ] || echo "example-digits src/examples/digits ./test -test.v -test.run ^TestOnDevice\$" # beside the processor's output
	# Seeds of a share are at most twice as many as programs: those that are refused are replaced.
	for i in $(share 20); do
		echo "wide-programs-$i $bits ../../../device.test -test.v -test.run ^TestWidePrograms\$ -wide.on $WEFT_DEVICE -wide.programs $((programs / 100)) -wide.from $((programs / 50 * i))"
	done
	[ ! -e src/transforms/test ] || for i in $(share 40); do
		echo "programs-$i src/transforms ./test -test.v -test.run ^TestProgramsOnDevices\$ -devices.on $WEFT_DEVICE -devices.programs $((programs / 40)) -devices.from $((20000000 + programs / 20 * i))"
	done
	laws
	i=0
	for p in $(cat packages); do
		case $p in
		examples/*) echo "examples-$((i += 1)) src/$p env WEFT_EXECUTOR=$WEFT_DEVICE ./test -test.v" ;;
		*) tests_of "$p" ;;
		esac
	done
}

# named returns the name of a package in the names of checks.
named() { echo "$1" | sed 's|^\.$|weft|; s|/|-|g'; }

# laws prints the shares of the tests that run only some of their samples on a device: all shares together run all samples.
# The first share of each test comes before the second ones. A share has a quarter of the samples that a test runs by itself.
laws() {
	local word folder few tests i n
	while read -r word folder few tests; do
		n=$((few < 50 ? 4 * few : 200))
		for i in $(share $n); do
			echo "$i laws-of-$(named "$folder")-$few-$i src/$folder env WEFT_EXECUTOR=$WEFT_DEVICE WEFT_SAMPLES=$i/$n ./test -test.v -test.run ^($tests)\$"
		done
	done <sampled | sort -sn -k1,1 | cut -d' ' -f2-
}

# tests_of prints the shares of the other tests of a package. Random programs have checks of their own.
tests_of() {
	local p=$1 tests n=1 i
	tests=$(grep -vE "^($(awk -v p="$p" '$2 == p { print $4 }' sampled | paste -sd '|')|TestProgramsOn(Devices|OpenCL))\$" "src/$p/tests")
	[ -n "$tests" ] || return 0
	if [[ $divided = *" $p "* ]]; then
		n=$(wc -l <<<"$tests")
		n=$((n < 40 ? n : 40))
	fi
	for i in $(share $n); do
		echo "tests-of-$(named "$p")-$i src/$p env WEFT_EXECUTOR=$WEFT_DEVICE ./test -test.v -test.run ^($(awk -v n="$n" -v i="$i" 'NR % n == i % n' <<<"$tests" | paste -sd '|'))\$"
	done
}

# note writes how a step has ended.
note() { printf '%s\t%s\n' "$1" "$2" >>"$logs/notes"; }

# save copies the logs to the folder that OUT names.
save() { [ -z "${OUT:-}" ] || { tar czf "$OUT/logs.new" -C "$to" logs && mv "$OUT/logs.new" "$OUT/logs.tar.gz"; }; }

# step runs a command for a number of seconds at most, fewer if the time of the run ends before, and
# appends its output to a log.
step() {
	local name=$1 seconds=$(($2 * slack)) status left
	shift 2
	left=$((end - $(date +%s)))
	if [ "$left" -le 0 ]; then
		status="found no time"
	else
		seconds=$((left < seconds ? left : seconds))
		timeout -k 5 "$seconds" "$@" 2>&1 | grep --line-buffered -v '^goos\|^goarch\|^pkg\|^cpu\|^PASS' | tee -a "$logs/$name.log"
		status=${PIPESTATUS[0]}
		case $status in
		0) status=ended ;;
		124 | 137) status="did not end in $seconds s" ;;
		*) status="failed with status $status" ;;
		esac
	fi
	note "$name" "$status"
	[ "$status" = ended ] || { echo "FAILED: step $name $status"; return 1; }
}

# bench runs benchmarks of bench.test that match a pattern, with settings of the environment.
bench() {
	local name=$1 seconds=$2 pattern=$3
	shift 3
	step "$name" "$seconds" env "$@" ./bench.test -test.run '^$' -test.bench "$pattern" -test.benchtime 1x -test.timeout 0
}

# rows measures the rows of a function. After an error of the device nothing runs in the same process: the rows
# after the one that failed run in a new process, three times at most.
rows() {
	local name=$1 end_rows=$(($(date +%s) + $2 * slack)) pattern="^Benchmark$3Device\$" left mark="=== all rows" bad=0
	shift 3
	for _ in 1 2 3 4; do
		echo "$mark" >>"$logs/$name.log"
		left=$((end_rows - $(date +%s)))
		[ $left -gt 0 ] || return 1
		bench "$name" $left "$pattern" "$@" || bad=1
		pattern=$(WEFT_LOGS=$logs WEFT_STEP=$name WEFT_SCALE=0.001 timeout $((30 * slack)) ./bench.test -test.run '^TestPrintRowsLeft$' | sed -n 's/^rows: //p')
		[ -n "$pattern" ] || return $bad
		echo "rows that are left run in a new process: $pattern"
		mark="=== rows left"
	done
	return $bad
}

step_device() {
	rm -f "$logs/device.log" "$logs/gpu.log" "$logs/env.log"
	echo "revision $(cat revision 2>/dev/null || echo unknown); measured on $(date -u +%F)" | tee "$logs/revision.log"
	command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader | tee "$logs/gpu.log"
	step env 60 ./weft env
	step device 60 ./bench.test -test.v -test.run '^TestDeviceIsThere$' || { echo "the device cannot be used: nothing else runs"; stop=1; return 1; }
	grep -q "$WEFT_DEVICE (.*)" "$logs/env.log" || { note env "does not list $WEFT_DEVICE"; echo "FAILED: weft env does not list $WEFT_DEVICE"; return 1; }
}

# step_share runs a share of the checks that need no package of their own: random operations, samples and programs, and the
# tests that are written by hand for kernels of several stages.
step_share() {
	local n=${PROCESSES:-$(nproc)} bad=0 left=0 status=ended name
	echo "=== a share of operations, samples and programs"
	job_seconds=${JOB_SECONDS:-$((55 * slack))} deadline=$(($(date +%s) + 60 * slack))
	[ "$deadline" -lt "$end" ] || deadline=$end
	export job_seconds deadline
	touch "$logs/results"
	EVERY=1000000 jobs | grep -E '^(operations|pieces|samples|goldens|conformance)-|\^Test(Scatters.*|Greatest|Fourier|LongRows)OnDevices' >"$logs/share"
	GOMAXPROCS=${GOMAXPROCS:-2} xargs -a "$logs/share" -d '\n' -P "$n" -I{} bash -c 'set -f; job $1' _ {}
	while read -r name _; do
		case "$name $(awk -v n="$name" '$2 == n { print $1 }' "$logs/results" | tail -1)" in
		*" 0") ;;
		by-hand-*" " | by-hand-*" 124" | by-hand-*" 137") left=$((left + 1)) unproven=order ;;
		*" ") left=$((left + 1)) ;;
		*) bad=1 ;; # a kernel that does not end is wrong, too
		esac
	done <"$logs/share"
	if [ $bad = 1 ]; then
		wrong=all status="is wrong: no figures are taken"
	elif [ $left -gt 0 ]; then
		status="found no time for $left checks"
	fi
	note share "$status"
	[ "$status" = ended ] || { echo "FAILED: step share $status"; return 1; }
}

# within runs tests of device.test that match a pattern in the folder whose files they read, with settings of the environment.
within() {
	local name=$1 seconds=$2 pattern=$3
	shift 3
	step "$name" "$seconds" env -C "$bits" "$@" "$dir/device.test" -test.v -test.run "^($pattern)\$"
}

# step_tensor compares the results of tensor cores with f64, for each kind of instruction.
step_tensor() {
	local bad=0 off
	echo "=== tensor cores, attention and convolutions against f64 and the reference"
	if [ "$kind" = cuda ]; then
		for off in on off; do
			within "tensor-$off" 45 'TestTensorOnDevices|TestAttentionOnDevices' "WEFT_CUDA_WGMMA=$off" || bad=1
			within "conv-$off" 30 TestConvOnDevices "WEFT_CUDA_WGMMA=$off" || bad=1
		done
	else
		within conv-on 30 TestConvOnDevices || bad=1
	fi
	[ $bad = 0 ] || [ -n "$wrong" ] || wrong=tensor
	return $bad
}

step_runtime() {
	echo "=== goroutines, moved memory, loops, sorts, donation, contexts, no memory"
	within runtime 30 TestRuntimeOnDevices || { wrong=all; return 1; }
}

# step_sanitize runs a share of random operations under NVIDIA's compute-sanitizer, if it is installed.
step_sanitize() {
	local tool sanitizer bad=0
	[ "$kind" = cuda ] || return 0
	sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | tail -1)
	if [ -z "$sanitizer" ]; then
		note sanitize "compute-sanitizer is not installed"
		return 0
	fi
	for tool in memcheck racecheck; do
		step "sanitize-$tool" 25 env -C "$bits" WEFT_SAMPLES=1/400 "$sanitizer" --tool "$tool" --error-exitcode 9 "$dir/cuda.test" -test.run '^TestOperationsOnDevices$' || bad=1
	done
	return $bad
}

step_launch() {
	local bad=0
	echo "=== launches; the driver's function is one that does nothing: what is measured is ours"
	step launch 30 "./$kind.test" -test.run '^$' -test.bench 'Launch$' -test.benchtime 0.2s -test.count 5 || bad=1
	bench small 60 '^BenchmarkSmallDevice$' || bad=1
	return $bad
}

step_first() {
	local cache bad=0
	echo "=== first call of a perceptron's step; nothing cached, three times; then machine code cached by the first of four"
	rm -rf "$to/first" "$logs/cold.log" "$logs/warm.log"
	for cache in off off off "$to/first" "$to/first" "$to/first" "$to/first"; do
		bench "$([ "$cache" = off ] && echo cold || echo warm)" 30 DeviceFirstCall CUDA_CACHE_DISABLE=1 WEFT_CUDA_CACHE="$cache" WEFT_OPENCL_CACHE="$cache" || bad=1
	done
	return $bad
}

step_transfers() {
	echo "=== transfers beside compute"
	bench transfers 40 '^BenchmarkTransferDevice$'
}

step_figures() {
	local bad=0
	if [ "$wrong" = all ]; then
		echo "no figures: results are wrong"
		note figures "not taken: results are wrong"
		return 1
	fi
	echo "=== figures"
	rows memory 100 Memory || bad=1
	if [ -n "$unproven" ]; then
		echo "no figures of order: checks of its kernels did not end"
		note order "not taken: checks of its kernels did not end"
		bad=1
	else
		rows order 60 Order || bad=1
	fi
	rows products 60 Product || bad=1
	rows steps 60 Step || bad=1
	if [ -n "$wrong" ]; then
		echo "no figures of tensor cores: results are wrong"
		note tensor "not timed: results are wrong"
		return 1
	fi
	rows wgmma 60 Tensor || bad=1
	rows mma 60 Tensor WEFT_CUDA_WGMMA=off || bad=1
	rows convolutions 60 Conv || bad=1
	[ "$kind" != cuda ] || rows convolutions-mma 60 Conv WEFT_CUDA_WGMMA=off || bad=1
	return $bad
}

peer() {
	echo "=== $1"
	if ! python3 -c "import $1" 2>/dev/null; then
		echo "not measured: $1 is not installed" | tee -a "$logs/$1.log"
		note "$1" "not installed"
		return 0
	fi
	step "$1" "$2" python3 gpu_peers.py "$1"
}

step_torch() { peer torch 110; }

step_jax() { XLA_PYTHON_CLIENT_PREALLOCATE=false peer jax 110; }

# unpassed writes the checks to todo that have not run or whose last run has failed.
unpassed() { awk 'FILENAME == ARGV[1] { status[$2] = $1; next } status[$1] != "0" && status[$1] != "lacks"' "$logs/results" "$logs/jobs" >"$logs/todo"; }

step_checks() {
	local n=${PROCESSES:-$(nproc)} saving status
	job_seconds=${JOB_SECONDS:-$((150 * slack))}
	deadline=$((end - 10)) # the table follows
	export job_seconds deadline
	jobs >"$logs/jobs"
	touch "$logs/results"
	unpassed
	echo "=== checks: $(wc -l <"$logs/todo") of $(wc -l <"$logs/jobs") shares have not passed yet; $n at once, $((deadline - $(date +%s))) s"
	(while sleep 20; do save; done) >/dev/null 2>&1 & # its sleep does not keep the output open
	saving=$!
	GOMAXPROCS=${GOMAXPROCS:-2} xargs -a "$logs/todo" -d '\n' -P "$n" -I{} bash -c 'set -f; job $1' _ {}
	kill $saving
	wait $saving 2>/dev/null
	unpassed
	status="$(wc -l <"$logs/todo") of $(wc -l <"$logs/jobs") shares have not passed"
	note checks "$status"
	[ ! -s "$logs/todo" ] || { echo "FAILED: checks: $status"; return 1; }
}

step_table() {
	WEFT_LOGS=$logs timeout $((20 * slack)) ./bench.test -test.run '^TestPrintDeviceTable$' | grep -v '^PASS\|^FAIL\|^--- FAIL\|^    device_table' | tee "$logs/table.md"
	return "${PIPESTATUS[0]}"
}

# tried reports whether each step of a run has ended, each row has a figure, and each check has passed. Peers may be missing.
# compute-sanitizer is not among the steps: it needs a GPU.
tried() {
	local name bad=0
	for name in env device share tensor-{on,off} conv-{on,off} runtime launch small cold warm transfers memory order products steps wgmma mma convolutions{,-mma} torch jax checks; do
		[ "$kind" = cuda ] || [[ $name != tensor-* && $name != *-off && $name != *-mma ]] || continue
		awk -F '\t' -v n="$name" '$1 == n { found = 1; if ($2 !~ /^ended$|not installed$|^0 of [1-9][0-9]* shares/) bad = 1 } END { exit bad || !found }' "$logs/notes" ||
			{ echo "FAILED: step $name: $(grep -P "^$name\t" "$logs/notes" | tail -1 || true)"; bad=1; }
	done
	[ -s "$logs/table.md" ] || { echo "FAILED: there is no table"; bad=1; }
	! grep 'not measured: ' "$logs/table.md" | grep -v 'PyTorch: torch is not\|JAX is not\|the device has no' || { echo "FAILED: the rows above have no figure"; bad=1; }
	return $bad
}

# tested prints the packages whose tests are linked to the drivers, and so can run on a device. If PACKAGES is first it
# prints those that are checked first, if it is none it prints nothing.
tested() {
	local all p
	case "${PACKAGES:-}" in
	first)
		tr ' ' '\n' <<<"$first"
		return
		;;
	none) return ;;
	esac
	all=$(go list -tags drivers -test -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./... |
		awk '$1 ~ /\.test$/ && / github.com\/weft-go\/weft\/runtime\/cuda( |$)/ { print $1 }' |
		sed 's|\.test$||; s|^github.com/weft-go/weft/*||; s|^$|.|' | grep -vxE "$own")
	for p in $first; do echo "$p"; done
	grep -vxF -f <(tr ' ' '\n' <<<"$first") <<<"$all"
}

build() {
	local dir p tags="drivers ${TAGS:-}"
	dir=$(mkdir -p "$1" && cd "$1" && pwd)
	cd "$(dirname "$0")/.." || exit 2
	export CGO_ENABLED=0
	compile() { go test -c -ldflags '-s -w' "$@" || exit 1; }
	for p in cuda opencl device; do
		compile -tags "${TAGS:-}" -o "$dir/$p.test" "./runtime/$p"
	done
	compile -tags "$tags" -o "$dir/bench.test" ./bench
	go build -tags "$tags" -ldflags '-s -w' -o "$dir/weft" ./cmd/weft || exit 1
	echo "$(git describe --always --dirty --abbrev=12) of $(git log -1 --format=%cs)" >"$dir/revision"
	rm -rf "$dir/src"
	mkdir -p "$dir/src"
	git ls-files -z | tar c --null -T - --ignore-failed-read | tar x -C "$dir/src"
	(cd runtime/device && "$dir/device.test" -test.list '^Test') | grep '^Test' >"$dir/device.tests" || exit 1
	tested >"$dir/packages"
	for p in $(cat "$dir/packages"); do
		compile -tags "$tags" -o "$dir/src/$p/test" "./$p"
		(cd "$dir/src/$p" && ./test -test.list '^Test') | grep '^Test' >"$dir/src/$p/tests"
	done
	: >"$dir/sampled"
	if [ -s "$dir/packages" ]; then
		(cd "$dir/src" && WEFT_FOLDERS=$(paste -sd ' ' "$dir/packages") ../bench.test -test.run '^TestPrintSampledTests$' | grep '^sampled ') >"$dir/sampled" || exit 1
		compile -o "$dir/src/examples/digits/test" ./examples/digits
	fi
	cp bench/gpu.sh bench/gpu_peers.py "$dir/"
	rm -rf "$dir/golden"
	if [ -n "${WEFT_GOLDEN:-}" ]; then # what the checks Goldens and Conformance read; without it they run subsets
		mkdir -p "$dir/golden/jax" "$dir/golden/stablehlo"
		cp "$WEFT_GOLDEN"/jax/{evals,program_texts}.jsonl "$dir/golden/jax/"
		cp "$WEFT_GOLDEN/stablehlo/dev.tar.gz" "$dir/golden/stablehlo/"
	else
		echo "WEFT_GOLDEN is not set: the checks run a subset of the golden data"
	fi
}

case "${1:-} $#" in
"build 2")
	build "$2"
	;;
"pack 3")
	name=$(basename "$2")
	tar c -C "$(dirname "$2")" --anchored --exclude "$name/logs" --exclude "$name/cache" --exclude "$name/first" "$name" | xz -T1 --x86 --lzma2=preset=6,dict=256MiB >"$3" || exit 1
	ls -l "$3"
	;;
"try 2" | "try 3")
	self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
	dir=$(cd "$2" && pwd) && to=$(mkdir -p "${3:-$2}" && cd "${3:-$2}" && pwd) || exit 2
	export WEFT_DEVICE=${WEFT_DEVICE:-cuda:0} WEFT_SCALE=0 WEFT_SECONDS=0 LARGE=1003 EVERY=1000000 BY_HAND=Runtime.* PARTS=20 PROGRAMS=200 TO=$to SLACK=10 RUN_SECONDS=3600
	rm -rf "$to/logs"
	bash "$self" run "$dir" | grep -v ' MISSED\|^| '
	logs=$to/logs kind=${WEFT_DEVICE%%:*}
	tried || exit 1
	echo "every step of $WEFT_DEVICE has ended, in $SECONDS s"
	;;
"run "*)
	[ $# -ge 2 ] || exit 2
	dir=$(cd "$2" && pwd) || exit 2
	cd "$dir" || exit 2
	shift 2
	to=${TO:-$dir}
	export WEFT_DEVICE=${WEFT_DEVICE:-cuda:0} logs=$to/logs bits=$dir/src/runtime/device WEFT_CUDA_CACHE=$to/cache WEFT_OPENCL_CACHE=${WEFT_OPENCL_CACHE:-off}
	golden=$([ ! -d golden ] || echo ../../../golden)
	export -f job
	kind=${WEFT_DEVICE%%:*} stop= wrong= unproven=
	end=$(($(date +%s) + ${RUN_SECONDS:-550}))
	[ $# -gt 0 ] || rm -rf "$logs" "$to/cache"
	mkdir -p "$logs" "$to/cache"
	failed=0
	for s in ${*:-verify launch first transfers figures torch jax table checks table}; do
		case $s in
		verify) s="device share tensor runtime sanitize" ;;
		measure) s="device launch first transfers figures torch jax table" ;;
		check) s="device checks table" ;;
		esac
		for s in $s; do
			[ -z "$stop" ] || [ "$s" = table ] || continue
			"step_$s" || failed=1
			save
		done
	done
	exit $failed
	;;
*)
	sed -n '2,/^set /{/^set /!p;}' "$0"
	exit 2
	;;
esac
