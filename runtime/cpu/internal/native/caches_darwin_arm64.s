//go:build !purego

#include "textflag.h"

TEXT libc_sys_icache_invalidate_trampoline<>(SB), NOSPLIT, $0-0
	JMP libc_sys_icache_invalidate(SB)

GLOBL ·libc_sys_icache_invalidate_trampoline_addr(SB), RODATA, $8
DATA  ·libc_sys_icache_invalidate_trampoline_addr(SB)/8, $libc_sys_icache_invalidate_trampoline<>(SB)

TEXT libc_csops_trampoline<>(SB), NOSPLIT, $0-0
	JMP libc_csops(SB)

GLOBL ·libc_csops_trampoline_addr(SB), RODATA, $8
DATA  ·libc_csops_trampoline_addr(SB)/8, $libc_csops_trampoline<>(SB)
