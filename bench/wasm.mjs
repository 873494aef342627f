// Times programs of jax-js as BenchmarkPrograms of runtime/cpu times those of Weft in Node: the mean time of
// calls of the jitted function in 0.3 s, the least of ten, in nanoseconds.
import { defaultDevice, init, jit, nn, numpy as np } from "@jax-js/jax";

await init("wasm");
defaultDevice("wasm");
const unit = (...shape) => {
	const n = shape.reduce((a, b) => a * b);
	return np.array(Float32Array.from({ length: n }, (_, i) => Math.sin(0.37 * i))).reshape(shape);
};
const rows = {
	"chain/1e5": [(x) => np.tanh(x.ref.mul(1.5).add(0.25)).mul(np.exp(x)).add(0.125), unit(100_000)],
	"softmax/1024x1024": [(x) => nn.softmax(x, -1), unit(1024, 1024)],
	"matmul-f32/256": [(x) => np.matmul(x.ref, x), unit(256, 256)],
	"matmul-f32/512": [(x) => np.matmul(x.ref, x), unit(512, 512)],
};
for (const [name, [f, x]] of Object.entries(rows)) {
	const g = jit(f);
	let least = Infinity;
	for (let round = 0; round < 10; round++) {
		const start = performance.now();
		let n = 0;
		for (; performance.now() < start + 300; n++) {
			const y = await g(x.ref).blockUntilReady();
			y.dispose();
		}
		least = Math.min(least, (performance.now() - start) / n);
	}
	console.log(`${name}/jax-js ${Math.round(1e6 * least)}`);
}
