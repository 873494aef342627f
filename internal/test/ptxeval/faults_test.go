package ptxeval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ptxeval"
	"github.com/weft-go/weft/lower/simt"
)

// program returns the text of an entry of so many threads, with a body that runs after the registers
// of names are set. Both memories have 1024 bytes, and local memory has 64.
func program(threads int, body string) string {
	return fmt.Sprintf(`.version 8.0
.target sm_90a
.address_size 64
.const .align 8 .b32 k_t[4] = {1, 2, 3, 4};
.extern .shared .align 1024 .b8 k_s[];
.visible .entry k(
	.param .u64 k_0,
	.param .u64 k_1
)
.reqntid %d, 1, 1
{
	.local .align 16 .b8 k_l[64];
	.reg .pred %%p<4>;
	.reg .b32 %%r<20>;
	.reg .b64 %%d<20>;
	.reg .f32 %%f<20>;
	ld.param.u64 %%d0, [k_0];
	ld.param.u64 %%d1, [k_1];
	mov.u32 %%r0, %%tid.x;
	shl.b32 %%r1, %%r0, 2;
	mov.u32 %%r2, k_s;
	add.u32 %%r2, %%r2, 1023;
	and.b32 %%r2, %%r2, -1024;
	add.u32 %%r3, %%r2, %%r1;
	cvt.u64.u32 %%d2, %%r1;
	add.u64 %%d3, %%d0, %%d2;
	setp.eq.u32 %%p0, %%r0, 0;
	setp.lt.u32 %%p1, %%r0, 32;
	mov.u64 %%d4, k_l;
	mov.u64 %%d5, k_t;
%s
	ret;
}
`, threads, body)
}

// names are the registers that program sets: the thread; the address of shared memory and of the thread's word
// in it, both of 32 bits; the addresses of the first memory, of the second, of the thread's word in the first, of
// local memory and of the table; whether the thread is the first, and whether its warp is.
var names = strings.NewReplacer("TID", "%r0", "SHARED", "%r2", "MINE", "%r3", "GLOBAL", "%d0", "OTHER", "%d1", "OWN", "%d3", "LOCAL", "%d4", "TABLE", "%d5", "ZERO", "%p0", "WARP", "%p1")

// lines returns instructions and labels, which ; separates, one a line and with registers for names.
func lines(s string) string {
	var b strings.Builder
	for x := range strings.SplitSeq(names.Replace(s), ";") {
		for x = strings.TrimSpace(x); strings.HasPrefix(x, "$"); {
			label, rest, _ := strings.Cut(x, ":")
			fmt.Fprintf(&b, "%s:\n", label)
			x = strings.TrimSpace(rest)
		}
		if x != "" {
			fmt.Fprintf(&b, "\t%s;\n", x)
		}
	}
	return b.String()
}

// runFault runs a body in two groups of threads.
func runFault(threads int, body string) error {
	m, err := ptxeval.Parse(program(threads, lines(body)))
	if err != nil {
		return err
	}
	regions := []*ptxeval.Region{{Base: 1 << 48, Data: make([]byte, 1024)}, {Base: 2 << 48, Data: make([]byte, 1024)}}
	return m.RunAt("k", 2, 1024+1024, []uint64{1 << 48, 2 << 48}, func(a uint64) *ptxeval.Region {
		if n := a >> 48; n == 1 || n == 2 {
			return regions[n-1]
		}
		return nil
	})
}

// Every kind of fault in every memory, and of copies in the background, is found; the same
// program without the fault runs.
func TestFaults(t *testing.T) {
	const meet = "bar.sync 0; "
	for _, c := range []struct{ name, right, wrong, want string }{
		// Memory of all groups.
		{"global: threads race", "ld.global.u32 %r4, [OWN]", "ld.global.u32 %r4, [OWN]; @ZERO st.global.u32 [GLOBAL+4], %r4", "at once"},
		{"global: sizes race", "ld.global.u32 %r4, [OWN]", "ld.global.u32 %r4, [OWN]; @ZERO st.global.u16 [GLOBAL+6], %r4", "at once"},
		{"global: groups write", "mov.u32 %r4, %ctaid.x; setp.eq.and.u32 %p2, %r4, 0, ZERO; @%p2 st.global.u32 [GLOBAL], %r4", "@ZERO st.global.u32 [GLOBAL], %r0", "groups use"},
		{"global: a group reads what another one writes", "ld.global.u32 %r4, [OWN]", "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p2, %r4, 1; ld.global.u32 %r5, [OWN]; @%p2 st.global.u32 [OWN], %r4", "groups use"},
		{"global: a group reads what was written", "ld.global.u32 %r4, [OWN]", "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p2, %r4, 0; @%p2 st.global.u32 [OWN], %r4; @!%p2 ld.global.u32 %r5, [OWN]", "groups use"},
		{"global: load beyond", "ld.global.u32 %r4, [GLOBAL+1020]", "ld.global.u32 %r4, [GLOBAL+1024]", "of global memory"},
		{"global: store beyond", "ld.global.u32 %r4, [GLOBAL+1020]", "@ZERO st.global.u32 [GLOBAL+1024], %r0", "of global memory"},
		{"global: alignment", "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [GLOBAL+16]", "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [GLOBAL+8]", "not aligned"},
		{"global: no memory", "ld.global.u32 %r4, [GLOBAL]", "mov.u64 %d6, 64; ld.global.u32 %r4, [%d6]", "not in global"},
		{"global: a vector races", "ld.global.u32 %r4, [OWN]", "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [GLOBAL]; setp.eq.u32 %p2, TID, 7; @%p2 st.global.u8 [GLOBAL+13], %r0", "at once"},
		{"global: a vector ends beyond", "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [GLOBAL+1008]", "ld.global.v2.u32 {%r4, %r5}, [GLOBAL+1024]", "of global memory"},
		{"global: before the first byte", "ld.global.u32 %r4, [GLOBAL]", "add.u64 %d6, OTHER, -4; ld.global.u32 %r4, [%d6]", "memory"},
		{"global: races again behind a barrier", meet + "ld.global.u32 %r4, [GLOBAL+512]", "@WARP ld.global.u32 %r4, [GLOBAL+512]; " + meet + "ld.global.u32 %r4, [GLOBAL+512]; @ZERO st.global.u32 [GLOBAL+512], %r0", "at once"},
		// Memory of a group.
		{"shared: threads race", "st.shared.u32 [MINE], %r0; " + meet + "ld.shared.u32 %r4, [SHARED]", "st.shared.u32 [MINE], %r0; ld.shared.u32 %r4, [SHARED]", "at once"},
		{"shared: read, then written", "ld.shared.u32 %r4, [SHARED]; " + meet + "st.shared.u32 [MINE], %r0", "ld.shared.u32 %r4, [SHARED]; st.shared.u32 [MINE], %r0", "at once"},
		{"shared: sizes race", "st.shared.u32 [MINE], %r0; " + meet + "ld.shared.u8 %r4, [SHARED+7]", "st.shared.u32 [MINE], %r0; ld.shared.u8 %r4, [SHARED+7]", "at once"},
		{"shared: sums race", "@ZERO st.shared.u32 [SHARED], 0; " + meet + "red.shared.add.u32 [SHARED], 1; " + meet + "ld.shared.u32 %r4, [SHARED]", "@ZERO st.shared.u32 [SHARED], 0; " + meet + "red.shared.add.u32 [SHARED], 1; ld.shared.u32 %r4, [SHARED]", "at once"},
		{"shared: warps race", "shr.u32 %r5, TID, 5; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, SHARED; setp.eq.u32 %p2, TID, 33; @%p2 st.shared.u32 [%r5], TID", "shr.u32 %r5, TID, 6; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, SHARED; and.b32 %r6, TID, 31; setp.eq.u32 %p2, %r6, 1; @%p2 st.shared.u32 [%r5], TID", "at once"},
		{"shared: a barrier on one path of a loop", "mov.u32 %r4, 0; $again: st.shared.u32 [MINE], %r4; " + meet + "ld.shared.u32 %r5, [SHARED+4]; " + meet + "add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra $again", "mov.u32 %r4, 0; $again: st.shared.u32 [MINE], %r4; " + meet + "ld.shared.u32 %r5, [SHARED+4]; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra $again", "at once"},
		{"shared: a vector is not aligned", "ld.shared.v2.u32 {%r4, %r5}, [SHARED+8]", "ld.shared.v2.u32 {%r4, %r5}, [SHARED+12]", "not aligned"},
		{"shared: beyond", "ld.shared.u32 %r4, [SHARED+1024]", "ld.shared.u32 %r4, [SHARED+2048]", "of shared memory"},
		{"shared: alignment", "ld.shared.u32 %r4, [SHARED+4]", "ld.shared.u32 %r4, [SHARED+2]", "not aligned"},
		// Memory of a thread, constants, parameters.
		{"local: beyond", "st.local.u32 [LOCAL+60], %r0", "st.local.u32 [LOCAL+64], %r0", "of local memory"},
		{"local: alignment", "st.local.u32 [LOCAL+4], %r0", "st.local.u32 [LOCAL+2], %r0", "not aligned"},
		{"const: beyond", "ld.const.u32 %r4, [TABLE+12]", "ld.const.u32 %r4, [TABLE+16]", "of const memory"},
		{"const: alignment", "ld.const.u32 %r4, [TABLE+4]", "ld.const.u32 %r4, [TABLE+2]", "not aligned"},
		{"const: store", "ld.const.u32 %r4, [TABLE]", "st.const.u32 [TABLE], %r0", "not in const"},
		{"param: beyond", "ld.param.u64 %d6, [k_1]", "ld.param.u64 %d6, [k_2]", "no parameter"},
		{"another memory", "ld.shared.u32 %r4, [SHARED]", "ld.local.u32 %r4, [GLOBAL]", "not in local"},
		// Barriers and exchanges.
		{"barrier: some threads", meet + "bar.sync 0", "@ZERO bra $end; bar.sync 0; $end:", "reach the barrier"},
		{"barrier: others", meet + "bar.sync 0", "@ZERO bra $odd; bar.sync 0; bra $end; $odd: bar.sync 0; $end:", "different barriers"},
		{"barrier: one thread has ended", meet + "bar.sync 0", "@ZERO ret; bar.sync 0", "reach the barrier"},
		{"barrier: another number of iterations", "mov.u32 %r4, 0; $again: bar.sync 0; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra $again", "mov.u32 %r4, 0; @ZERO mov.u32 %r4, 1; $again: bar.sync 0; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra $again", "reach the barrier"},
		{"barrier: a warp", meet + "bar.sync 0", "@WARP bra $end; bar.sync 0; $end:", "reach the barrier"},
		{"barrier: a warp in a program with tensor cores", meet + loadRows(""), "@WARP bra $end; bar.sync 0; $end: " + loadRows(""), "waits for ever"},
		{"barrier: others in a program with tensor cores", meet + loadRows(""), "@WARP bra $odd; bar.sync 0; bra $end; $odd: bar.sync 0; $end: " + loadRows(""), "different barriers"},
		{"exchange: two of them", "shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1", "@ZERO bra $odd; shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1; bra $end; $odd: shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1; $end:", "not all threads"},
		{"exchange: a value that is not set", "mov.u32 %r5, 0; shfl.sync.bfly.b32 %r4, %r5, 1, 31, -1", "@ZERO mov.u32 %r5, 0; shfl.sync.bfly.b32 %r4, %r5, 1, 31, -1", "nothing has written"},
		{"exchange: some threads", "shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1", "@!ZERO shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1", "not all threads"},
		{"exchange: one thread has ended", "shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1", "setp.eq.u32 %p2, TID, 9; @%p2 ret; shfl.sync.bfly.b32 %r4, %r0, 1, 31, -1", "reach the exchange"},
		{"exchange: at a barrier", "vote.sync.ballot.b32 %r4, ZERO, 0xffffffff; bar.sync 0", "@ZERO bar.sync 0; vote.sync.ballot.b32 %r4, ZERO, 0xffffffff", "not all threads"},
		{"register not written", "mov.u32 %r4, 1; add.u32 %r4, %r4, 1", "@ZERO mov.u32 %r4, 1; add.u32 %r4, %r4, 1", "nothing has written"},
		// Copies by cp.async.
		{"cp.async: no wait", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r4, [MINE]", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; ld.shared.u32 %r4, [MINE]", "being fetched"},
		{"cp.async: no commit", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r4, [MINE]", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.wait_group 0; ld.shared.u32 %r4, [MINE]", "being fetched"},
		{"cp.async: too short a wait", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r4, [MINE]", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r4, [MINE]", "being fetched"},
		{"cp.async: one thread commits later", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r4, [MINE]", "cp.async.ca.shared.global [MINE], [OWN], 4; @!ZERO cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r4, [MINE]", "being fetched"},
		{"cp.async: another thread waits", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; " + meet + "ld.shared.u32 %r4, [SHARED]", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; @!ZERO cp.async.wait_group 0; " + meet + "ld.shared.u32 %r4, [SHARED]", "being fetched"},
		{"cp.async: written before it has arrived", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; st.shared.u32 [MINE], %r0", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; st.shared.u32 [MINE], %r0; cp.async.wait_group 0", "being fetched"},
		{"cp.async: no barrier", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; " + meet + "ld.shared.u32 %r4, [SHARED]", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; ld.shared.u32 %r4, [SHARED]", "at once"},
		{"cp.async: replaces what is read", "@ZERO ld.shared.u32 %r4, [SHARED+128]; " + meet + "cp.async.ca.shared.global [MINE], [OWN], 4", "@ZERO ld.shared.u32 %r4, [SHARED+128]; cp.async.ca.shared.global [MINE], [OWN], 4", "at once"},
		{"cp.async: overlapping copies", "cp.async.ca.shared.global [MINE], [OWN], 4", "cp.async.ca.shared.global [SHARED], [OWN], 4", "being fetched"},
		{"cp.async: the source changes", "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p2, %r4, 1; @%p2 ret; cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 0; st.global.u32 [OWN], %r0", "cp.async.ca.shared.global [MINE], [OWN], 4; cp.async.commit_group; cp.async.wait_group 1; st.global.u32 [OWN], %r0", "while a copy to shared memory reads it"},
		{"cp.async: alignment of the source", "@ZERO cp.async.cg.shared.global [SHARED], [GLOBAL+16], 16", "@ZERO cp.async.cg.shared.global [SHARED], [GLOBAL+8], 16", "not aligned"},
		{"cp.async: alignment of a source that ends", "@ZERO cp.async.cg.shared.global [SHARED], [GLOBAL+16], 16, 4", "@ZERO cp.async.cg.shared.global [SHARED], [GLOBAL+4], 16, 4", "not aligned"},
		{"cp.async: alignment of the copy", "@ZERO cp.async.cg.shared.global [SHARED+16], [GLOBAL], 16", "@ZERO cp.async.cg.shared.global [SHARED+8], [GLOBAL], 16", "not aligned"},
		{"cp.async: source beyond", "@ZERO cp.async.ca.shared.global [SHARED], [GLOBAL+1020], 4", "@ZERO cp.async.ca.shared.global [SHARED], [GLOBAL+1024], 4", "of global memory"},
		{"cp.async: copy beyond", "@ZERO cp.async.ca.shared.global [SHARED+1020], [GLOBAL], 4", "@ZERO cp.async.ca.shared.global [SHARED+2048], [GLOBAL], 4", "of shared memory"},
		// ldmatrix, whose lanes read 16 bytes each.
		{"ldmatrix: race", loadRows(""), "@ZERO st.shared.u16 [SHARED+46], %r0; " + loadRows(""), "at once"},
		{"ldmatrix: being fetched", loadRows(""), "@ZERO cp.async.ca.shared.global [SHARED+44], [GLOBAL], 4; " + loadRows(""), "being fetched"},
		{"ldmatrix: alignment", loadRows(""), loadRows("+8"), "not aligned"},
		{"ldmatrix: beyond", loadRows("+512"), loadRows("+1040"), "of shared memory"},
		{"ldmatrix: some threads", loadRows(""), "@ZERO bra $end; " + loadRows("") + "; $end:", "waits for ever"},
		{"mma: register not written", "mov.u32 %r4, 0", "mov.u32 %r4, 0; mov.f32 %f0, 0f00000000; mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f0, %f0, %f0}, {%r4, %r4, %r4, %r5}, {%r4, %r4}, {%f0, %f0, %f0, %f0}", "nothing has written"},
	} {
		if err := runFault(64, c.right); err != nil {
			t.Errorf("%s: without the fault: %v", c.name, err)
		}
		if err := runFault(64, c.wrong); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// loadRows returns an ldmatrix whose lanes read 16 bytes each, one after the other, from shared memory plus an offset on.
func loadRows(plus string) string {
	return "and.b32 %r8, TID, 31; shl.b32 %r8, %r8, 4; add.u32 %r8, %r8, SHARED; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r8" + plus + "]"
}

// Faults of barriers in shared memory, of copies by TMA and of wgmma are found; the same program
// without the fault runs. Thread 0 copies a tile of 8×32 numbers of 4 bytes.
func TestAsynchronousFaults(t *testing.T) {
	const (
		start  = "@!ZERO bra $ready; mbarrier.init.shared::cta.b64 [SHARED+8192], 1; mbarrier.init.shared::cta.b64 [SHARED+8200], 1; fence.mbarrier_init.release.cluster; $ready: bar.sync 0; mov.b64 %d6, k_m0; cvta.param.u64 %d6, %d6; add.u32 %r9, SHARED, 8192; add.u32 %r10, SHARED, 8200; mov.u32 %r8, 0; "
		tile   = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r9], 1024; cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [SHARED+0], [%d6, {%r8, %r8}], [%r9]; "
		second = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 1024; cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [SHARED+1024], [%d6, {%r8, %r8}], [%r10]; "
		copied = start + "@!ZERO bra $copied; " + tile + "$copied: "
		wait   = "$wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r9+0], 0; @!%p2 bra $wait; "
		read   = "ld.shared.u32 %r4, [SHARED]"
		right  = copied + wait + read
		both   = start + "@!ZERO bra $copied; " + tile + second + "$copied: " + wait + "$later: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10+0], 0; @!%p2 bra $later; " + read
		zeros  = "mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000; "
		begin  = "wgmma.fence.sync.aligned; "
		// Of 64×8 by 8×8 numbers; the sums are %f0 to %f3, the operands 8 KiB of zeros.
		product = "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f0, %f1, %f2, %f3}, %d7, %d7, %p3, 1, 1; "
		commit  = "wgmma.commit_group.sync.aligned; "
		done    = "wgmma.wait_group.sync.aligned 0; "
		operand = "setp.eq.u32 %p3, 0, 0; shr.u32 %r11, SHARED, 4; cvt.u64.u32 %d7, %r11; or.b64 %d7, %d7, 0x4000004000010000; "
		ready   = operand + zeros
		store   = "st.global.f32 [OWN], %f0"
		// Of 64×16 numbers in registers by 16×8.
		left    = "mov.u32 %r14, 0; mov.u32 %r15, 0; mov.u32 %r16, 0; mov.u32 %r17, 0; "
		right16 = ready + left + begin + "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, {%r14, %r15, %r16, %r17}, %d7, %p3, 1, 1, 0; " + commit + done
	)
	for _, c := range []struct{ name, right, wrong, want string }{
		{"TMA: read before the wait", right, copied + read, "while a copy writes it"},
		{"TMA: the wait is for another copy", both, start + "@!ZERO bra $copied; " + tile + second + "$copied: $later: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r10+0], 0; @!%p2 bra $later; " + read, "while a copy writes it"},
		{"TMA: the wait is for the phase before", right, strings.Replace(right, "[%r9+0], 0", "[%r9+0], 1", 1), "while a copy writes it"},
		{"TMA: the wait is for the phase behind", right, right + "; " + strings.ReplaceAll(strings.Replace(wait, "[%r9+0], 0", "[%r9+0], 1", 1), "$wait", "$again"), "waits for ever"},
		{"TMA: nothing waits", right, copied + "mov.u32 %r4, 0", "is under way when the group ends"},
		{"TMA: more bytes are expected", right, strings.Replace(right, "[%r9], 1024", "[%r9], 2048", 1), "waits for ever"},
		{"TMA: fewer bytes are expected", right, strings.Replace(right, "[%r9], 1024", "[%r9], 512", 1), "waits for ever"},
		{"TMA: no bytes are expected", right, strings.Replace(right, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r9], 1024; ", "", 1), "waits for ever"},
		{"TMA: no fence after the initialization", right, strings.Replace(right, "fence.mbarrier_init.release.cluster; ", "", 1), "without a fence after"},
		{"TMA: another thread's fence", right, strings.Replace(right, "fence.mbarrier_init.release.cluster; $ready: ", "$ready: @!ZERO fence.mbarrier_init.release.cluster; ", 1), "without a fence after"},
		{"TMA: alignment of the tile", right, strings.Replace(right, "[SHARED+0]", "[SHARED+512]", 1), "not aligned to 1024"},
		{"TMA: tile beyond", right, strings.Replace(right, "[SHARED+0]", "[SHARED+9216]", 1), "of shared memory"},
		{"TMA: tile where barriers are", right, strings.Replace(right, "[SHARED+0]", "[SHARED+8192]", 1), "where a barrier is"},
		{"TMA: two copies to one place", both, strings.Replace(both, "[SHARED+1024]", "[SHARED+0]", 1), "while a copy writes it"},
		{"TMA: a thread has written there", right, "st.shared.u32 [MINE], %r0; " + right, "which a thread wrote to"},
		{"TMA: a thread reads there", right, strings.Replace(right, "@!ZERO bra $copied; ", "ld.shared.u32 %r4, [MINE]; @!ZERO bra $copied; ", 1), "with no barrier between"},
		{"TMA: a thread writes there", right, copied + "st.shared.u32 [MINE], %r0; " + wait, "while a copy writes it"},
		{"TMA: the source changes", right, copied + "@ZERO st.global.u32 [OTHER], %r0; " + wait, "while a copy to shared memory reads it"},
		{"barrier: no initialization", right, strings.Replace(right, "mbarrier.init.shared::cta.b64 [SHARED+8192], 1; ", "", 1), "there is no barrier"},
		{"barrier: used before the initialization is visible", right, strings.Replace(right, "$ready: bar.sync 0", "$ready: mov.u32 %r4, 0", 1), "at once"},
		{"barrier: alignment", right, strings.Replace(right, "init.shared::cta.b64 [SHARED+8192]", "init.shared::cta.b64 [SHARED+8196]", 1), "not aligned"},
		{"barrier: beyond", right, strings.Replace(right, "init.shared::cta.b64 [SHARED+8192]", "init.shared::cta.b64 [SHARED+9216]", 1), "of shared memory"},
		{"barrier: too many arrivals", right, strings.Replace(right, wait, "mbarrier.arrive.shared::cta.b64 _, [%r9]; mbarrier.arrive.shared::cta.b64 _, [%r9]; "+wait, 1), "more threads arrive"},
		{"barrier: overwritten", right, right + "; @ZERO st.shared.u32 [SHARED+8192], %r0", "where a barrier is"},
		{"wgmma: no fence", ready + begin + product + commit + done + "mov.f32 %f4, %f0", ready + product + commit + done, "fence"},
		{"wgmma: a path without a fence", ready + begin + product + commit + done, ready + begin + "$again: " + product + commit + done, "without a fence"},
		{"wgmma: a sum is written after the fence", ready + begin + product + commit + done, operand + zeros + begin + "mov.f32 %f2, 0f00000000; " + product + commit + done, "written after its fence"},
		{"wgmma: a sum is read before the wait", ready + begin + product + commit + done + "mov.f32 %f4, %f0", ready + begin + product + commit + "mov.f32 %f4, %f0; " + done, "nothing has written"},
		{"wgmma: a sum is written before the wait", ready + begin + product + commit + done + zeros, ready + begin + product + commit + zeros + done, "while wgmma uses it"},
		{"wgmma: a sum is stored before the wait", ready + begin + product + commit + done, ready + begin + product + commit + store + "; " + done, "nothing has written"},
		{"wgmma: too short a wait", ready + begin + product + commit + done + "mov.f32 %f4, %f0", ready + begin + product + commit + strings.Replace(done, " 0", " 1", 1) + "mov.f32 %f4, %f0", "nothing has written"},
		{"wgmma: no commit", ready + begin + product + commit + done + "mov.f32 %f4, %f0", ready + begin + product + done + "mov.f32 %f4, %f0", "nothing has written"},
		{"wgmma: nothing waits", ready + begin + product + commit + done, ready + begin + product + commit, "under way when the group ends"},
		{"wgmma: a thread writes an operand", ready + begin + product + commit + done + "st.shared.u32 [MINE], %r0", ready + begin + product + commit + "st.shared.u32 [MINE], %r0; " + done, "while wgmma reads it"},
		{"wgmma: a copy writes an operand", start + ready + begin + product + commit + done + "@!ZERO bra $copied; " + tile + "$copied: " + wait, start + ready + begin + product + commit + "@!ZERO bra $copied; " + tile + "$copied: " + done + wait, "while wgmma reads it"},
		{"wgmma: an operand that a thread wrote", ready + begin + product + commit + done, "st.shared.u32 [MINE], %r0; bar.sync 0; " + ready + begin + product + commit + done, "which a thread wrote to"},
		{"wgmma: an operand that is being copied", ready + begin + product + commit + done, copied + ready + begin + product + commit + done + wait, "while a copy writes it"},
		{"wgmma: operand beyond", ready + begin + product + commit + done, strings.Replace(ready, "SHARED, 4; ", "SHARED, 4; add.u32 %r11, %r11, 1024; ", 1) + begin + product + commit + done, "of shared memory"},
		{"wgmma: different descriptors", ready + begin + product + commit + done, strings.Replace(ready, "SHARED, 4", "MINE, 4", 1) + begin + product + commit + done, "different descriptors"},
		{"wgmma: order of the operand", ready + begin + product + commit + done, strings.Replace(ready, "0x4000004000010000", "0x0000004000010000", 1) + begin + product + commit + done, "without the exchange"},
		{"wgmma: a left operand that is not set", right16, strings.Replace(right16, "mov.u32 %r17, 0; ", "", 1), "nothing has written"},
		{"wgmma: a left operand is written after the fence", right16, strings.Replace(right16, begin, begin+"mov.u32 %r16, 1; ", 1), "written after its fence"},
		{"wgmma: a left operand is written before the wait", right16, strings.Replace(right16, done, "mov.u32 %r16, 1; "+done, 1), "while wgmma reads it"},
		{"wgmma: some warps", ready + begin + product + commit + done, "@WARP bra $end; " + ready + begin + product + commit + done + "$end:", "waits for ever"},
		{"wgmma: a sum that is not set", ready + begin + product + commit + done, operand + begin + product + commit + done, "nothing has written"},
		{"setmaxnreg: too many", "setmaxnreg.inc.sync.aligned.u32 256", "setmaxnreg.inc.sync.aligned.u32 264", "from 24 to 256"},
		{"setmaxnreg: some warps", "setmaxnreg.inc.sync.aligned.u32 256", "@WARP bra $end; setmaxnreg.inc.sync.aligned.u32 256; $end:", "waits for ever"},
	} {
		for _, x := range []struct{ body, want string }{{c.right, ""}, {c.wrong, c.want}} {
			text := strings.Replace(program(128, lines(x.body)), "k_1\n)", "k_1,\n\t.param .align 64 .b8 k_m0[128]\n)", 1)
			err := runTile(text)
			if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
				t.Errorf("%s: got %v, want %q", c.name, err, x.want)
			}
		}
	}
}

// Faults of tensor memory are found; the same program without the fault runs. Thread 0 multiplies 128×8 by 8×16 numbers, which four warps
// load.
func TestTensorMemoryFaults(t *testing.T) {
	const (
		start    = "@!ZERO bra $ready; mbarrier.init.shared::cta.b64 [SHARED+8192], 1; $ready: add.u32 %r9, SHARED, 8192; add.u32 %r11, SHARED, 8208; "
		alloc    = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r11], 32; "
		permit   = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; "
		before   = "tcgen05.fence::before_thread_sync; "
		meet     = "bar.sync 0; "
		after    = "tcgen05.fence::after_thread_sync; "
		begin    = start + "@!WARP bra $allocated; " + alloc + permit + before + "$allocated: " + meet + after + "ld.shared.u32 %r12, [SHARED+8208]; "
		operands = "setp.ne.u32 %p3, 0, 0; mov.u32 %r13, 0x8040910; shr.u32 %r14, SHARED, 4; cvt.u64.u32 %d7, %r14; or.b64 %d7, %d7, 0x4000400000010000; "
		mma      = "tcgen05.mma.cta_group::1.kind::tf32 [%r12], %d7, %d7, %r13, %p3; "
		commit   = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r9+0]; "
		product  = operands + "@!ZERO bra $started; " + mma + commit + "$started: "
		wait     = "$wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r9+0], 0; @!%p2 bra $wait; "
		lane     = "shr.u32 %r14, TID, 5; mad.lo.u32 %r14, %r14, 0x200000, %r12; "
		load     = "tcgen05.ld.sync.aligned.16x256b.x2.b32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%r14+0]; "
		loaded   = "tcgen05.wait::ld.sync.aligned; "
		use      = "add.rn.f32 %f8, %f0, %f7; "
		dealloc  = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r12, 32; "
		end      = before + meet + "@!WARP bra $freed; " + after + dealloc + "$freed:"
		right    = begin + product + wait + after + lane + load + loaded + use + end
	)
	for _, c := range []struct{ name, old, new, want string }{
		{"no allocation", alloc, "", "of tensor memory"},
		{"columns that are no power of two", alloc, strings.Replace(alloc, "32;", "48;", 1), "by powers of two"},
		{"allocated twice", alloc, alloc + alloc, "allocated twice"},
		{"allocated without the permit", alloc + permit, permit + alloc, "after the permit"},
		{"allocated by some threads", "@!WARP bra $allocated; ", "@!ZERO bra $allocated; ", "waits for ever"},
		{"the address is read at once", before + "$allocated: " + meet, before + "$allocated: ", "at once"},
		{"no fence behind the allocation", permit + before, permit, "no tcgen05.fence::before_thread_sync"},
		{"no fence before the product", meet + after + "ld", meet + "ld", "no tcgen05.fence::after_thread_sync"},
		{"a product beside the columns", mma, "add.u32 %r12, %r12, 24; " + mma, "are allocated"},
		{"a product into other lanes", mma, "add.u32 %r12, %r12, 0x10000; " + mma, "into lane 1"},
		{"a product that is added to nothing", "setp.ne.u32 %p3", "setp.eq.u32 %p3", "which nothing has written"},
		{"products of two threads", "@!ZERO bra $started; ", "setp.lt.u32 %p2, TID, 2; @!%p2 bra $started; ", "whose order is open"},
		{"operands of another format", "0x8040910", "0x8040810", "has the descriptor"},
		{"sums of another format", "0x8040910", "0x8040900", "has the descriptor"},
		{"64 rows", "0x8040910", "0x4040910", "a product of 64 rows"},
		{"descriptor of wgmma", "0x4000400000010000", "0x4000000000010000", "not of this unit"},
		{"descriptor without exchange", "0x4000400000010000", "0x0000400000010000", "without the exchange"},
		{"an operand that a thread wrote", operands, "st.shared.u32 [MINE], %r0; bar.sync 0; " + after + operands, "which a thread wrote to"},
		{"a thread writes an operand", wait, "st.shared.u32 [MINE], %r0; " + wait, "while tcgen05 reads it"},
		{"no commit", commit, "", "waits for ever"},
		{"a commit to no barrier", commit, strings.Replace(commit, "+0", "+8", 1), "there is no barrier"},
		{"a commit before the product", mma + commit, commit + mma, "while a product writes it"},
		{"no wait for the product", wait, "", "while a product writes it"},
		{"the wait is for the phase before", wait, strings.Replace(wait, "], 0", "], 1", 1), "while a product writes it"},
		{"no fence behind the wait for the product", wait + after, wait, "no tcgen05.fence::after_thread_sync"},
		{"a load of another warp's lanes", lane, strings.Replace(lane, "TID, 5", "TID, 6", 1), "loads from lane"},
		{"a load beside the columns", load, strings.Replace(load, "+0]", "+24]", 1), "are allocated"},
		{"a load of what nothing has written", load, strings.Replace(load, "+0]", "+16]", 1), "which nothing has written"},
		{"a load by some threads", load, "@ZERO bra $odd; " + load + "$odd: ", "waits for ever"},
		{"no wait for the load", loaded, "", "nothing has written"},
		{"a register is written before the wait for the load", loaded, "mov.f32 %f3, 0f00000000; " + loaded, "while tcgen05.ld uses it"},
		{"a product into what is loaded", load, load + "@!ZERO bra $second; " + mma + commit + "$second: ", "while a load reads it"},
		{"no fence behind the load", use + before, use, "no tcgen05.fence::before_thread_sync"},
		{"nothing is freed", dealloc, "", "are allocated when the group ends"},
		{"fewer columns are freed", dealloc, strings.Replace(dealloc, "32;", "16;", 1), "are freed, and 32"},
		{"no fence before it is freed", after + dealloc, dealloc, "no tcgen05.fence::after_thread_sync"},
		{"freed while a product is under way", end, strings.Replace(end, after, after+"@!ZERO bra $last; "+mma+commit+"$last: ", 1), "while a product is under way"},
		{"freed while a load is under way", end, strings.Replace(end, after, after+load, 1), "while a load is under way"},
		{"a commit that nothing waits for", end, "@!ZERO bra $last; " + commit + "$last: " + end, "under way when the group ends"},
	} {
		wrong := strings.Replace(right, c.old, c.new, 1)
		if wrong == right {
			t.Errorf("%s: the program has no %q", c.name, c.old)
		}
		if err := runTile(program(128, lines(wrong))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	if err := runTile(program(128, lines(right))); err != nil {
		t.Errorf("without a fault: %v", err)
	}
}

// runTile runs a text whose tensor map, if it has one, describes 8×32 numbers in the second memory.
func runTile(text string) error {
	m, err := ptxeval.Parse(text)
	if err != nil {
		return err
	}
	regions := []*ptxeval.Region{{Base: 1 << 48, Data: make([]byte, 1024)}, {Base: 2 << 48, Data: make([]byte, 1024)}}
	params := []uint64{1 << 48, 2 << 48}
	if strings.Contains(text, "k_m0") {
		words := ptxeval.EncodeMap(2<<48, simt.TF32.Size(), 2, [5]uint64{32, 8}, [4]uint64{128}, [5]uint32{32, 8})
		params = append(append(params, 0, 0, 0, 0, 0, 0), words[:]...)
	}
	return m.RunAt("k", 1, 10*1024-16, params, func(a uint64) *ptxeval.Region {
		if n := a >> 48; n == 1 || n == 2 {
			return regions[n-1]
		}
		return nil
	})
}
