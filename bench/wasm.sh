#!/usr/bin/env bash
# Measures the executors of WebAssembly beside jax-js in Node, in turn, and prints the least nanoseconds of each
# program. NODE (node) is the program, PEER a folder in which npm installs jax-js (default: a new one), ROUNDS (3)
# and BENCHTIME (0.3s) make it longer.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
node=${NODE:-node}
peer=${PEER:-$out/peer}
if [ ! -d "$peer/node_modules/@jax-js" ]; then
	mkdir -p "$peer"
	npm install --silent --prefix "$peer" @jax-js/jax@0.1.25
fi
cp bench/wasm.mjs "$peer/"
CGO_ENABLED=0 GOOS=js GOARCH=wasm go test -c -o "$out/test" ./runtime/cpu
for _ in $(seq "${ROUNDS:-3}"); do
	(cd runtime/cpu && "$node" --stack-size=8192 "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" "$out/test" -test.run '^$' \
		-test.bench Programs -test.benchtime "${BENCHTIME:-0.3s}" -test.count 2 | awk '/ns\/op/ { sub("BenchmarkPrograms/", "", $1); print $1, $3 }')
	"$node" "$peer/wasm.mjs"
done | awk '{ if (!($1 in least) || $2 + 0 < least[$1]) least[$1] = $2 } END { for (row in least) printf "%-36s %12d\n", row, least[row] }' | sort
