package amd64

import "github.com/weft-go/weft/lower/native"

// Op, Reg and the constants that follow are those of package native, which every target has.
type (
	Op  = native.Op
	Reg = native.Reg
)

const (
	NoOp = native.NoOp
	Add  = native.Add
	AddI = native.AddI
	Sub  = native.Sub
	SubI = native.SubI
	AndI = native.AndI
	Or   = native.Or
	OrI  = native.OrI
	Not  = native.Not
	Neg  = native.Neg
	ShlI = native.ShlI
	ShrI = native.ShrI
	SarI = native.SarI
	Cmp  = native.Cmp
	CmpI = native.CmpI
	Test = native.Test
	Min  = native.Min
	Max  = native.Max

	MovI         = native.Const
	Lea          = native.Address
	Imul         = native.Mul
	ImulI        = native.MulI
	Movzxb       = native.Load8
	Movzxw       = native.Load16
	Movl         = native.Load32
	Mov          = native.Load64
	MovbS        = native.Store8
	MovwS        = native.Store16
	MovlS        = native.Store32
	MovS         = native.Store64
	Prefetcht0   = native.Prefetch
	Vmovups      = native.VLoad
	VmovupsS     = native.VStore
	Vmovntps     = native.VStream
	Vpbroadcastb = native.VLoad1
	Vpbroadcastw = native.VLoad2
	Vmovd        = native.VLoad4
	VmovqX       = native.VLoad8
	Vpextrb      = native.VStore1
	Vpextrw      = native.VStore2
	VmovdS       = native.VStore4
	VmovqXS      = native.VStore8
)

// The other instructions that the code generator uses. The suffix S marks the form that stores its register, L
// the form that loads it, G the form that reads a general register, R the form that writes a general register,
// I the form with an immediate operand, K the form that writes a mask.
const (
	// moves
	Vmovupd Op = native.NumOps + iota
	Vmovaps
	VmovupdS
	Vmovdqu8
	Vmovdqu8S
	Vmovdqu16
	Vmovdqu16S
	Vmovdqu32
	Vmovdqu32S
	Vmovdqu64
	Vmovdqu64S
	Vmovss
	Vmovsd
	VmovssS
	VmovsdS
	Vmovq
	VmovqS
	Vbroadcastss
	Vbroadcastsd
	Vpbroadcastq
	VpbroadcastbG
	VpbroadcastwG
	VpbroadcastdG
	VpbroadcastqG
	VmaskmovpsL
	VmaskmovpdL
	VmaskmovpsS
	VmaskmovpdS

	// floats
	Vaddps
	Vaddpd
	Vmulps
	Vmulpd
	Vsubps
	Vsubpd
	Vminps
	Vminpd
	Vdivps
	Vdivpd
	Vmaxps
	Vmaxpd
	Vsqrtps
	Vsqrtpd
	Vandps
	Vandpd
	Vorps
	Vorpd
	Vxorps
	Vxorpd
	Vfmadd132ps
	Vfmadd132pd
	Vfmadd213ps
	Vfmadd213pd
	Vfmadd231ps
	Vfmadd231pd
	Vdpbf16ps
	Vpdpbusd
	Vpdpwssd
	Vfnmadd132ps
	Vfnmadd132pd
	Vfnmadd213ps
	Vfnmadd213pd
	Vfnmadd231ps
	Vfnmadd231pd
	Vfmsub132ps
	Vfmsub132pd
	Vfmsub213ps
	Vfmsub213pd
	Vfmsub231ps
	Vfmsub231pd
	Vfnmsub132ps
	Vfnmsub132pd
	Vfnmsub213ps
	Vfnmsub213pd
	Vfnmsub231ps
	Vfnmsub231pd
	Vscalefps
	Vscalefpd
	Vrndscaleps
	Vrndscalepd
	Vroundps
	Vroundpd
	Vrangeps
	Vrangepd
	VcmppsK
	VcmppdK
	Vcmpps
	Vcmppd
	Vblendmps
	Vblendmpd
	Vblendps
	Vblendvps
	Vblendvpd
	Vshufps
	Vpermps
	Vpermpd
	Vpermi2ps
	Vpermi2pd
	Vpermi2d
	Vpermi2q

	// conversions
	Vcvtdq2ps
	Vcvtudq2ps
	Vcvttps2dq
	Vcvttps2udq
	Vcvtdq2pd
	Vcvtudq2pd
	Vcvttpd2dq
	Vcvttpd2udq
	Vcvtqq2pd
	Vcvtuqq2pd
	Vcvtqq2ps
	Vcvtuqq2ps
	Vcvttpd2qq
	Vcvttpd2uqq
	Vcvtps2pd
	Vcvtpd2ps
	Vcvtph2ps
	Vcvtps2ph

	// integers
	Vpaddb
	Vpaddw
	Vpaddd
	Vpaddq
	Vpsubb
	Vpsubw
	Vpsubd
	Vpsubq
	Vpmullw
	Vpmulld
	Vpmullq
	Vpmulhw
	Vpmulhuw
	Vpmuludq
	Vpmuldq
	Vpminsb
	Vpminsw
	Vpminsd
	Vpminsq
	Vpmaxsb
	Vpmaxsw
	Vpmaxsd
	Vpmaxsq
	Vpminub
	Vpminuw
	Vpminud
	Vpminuq
	Vpmaxub
	Vpmaxuw
	Vpmaxud
	Vpmaxuq
	Vpabsb
	Vpabsw
	Vpabsd
	Vpabsq
	Vpand
	Vpandd
	Vpandq
	Vpandn
	Vpor
	Vpord
	Vporq
	Vpxor
	Vpxord
	Vpxorq
	Vpcmpeqb
	Vpcmpeqw
	Vpcmpeqd
	Vpcmpeqq
	Vpcmpgtb
	Vpcmpgtw
	Vpcmpgtd
	Vpcmpgtq
	Vpcmpb
	Vpcmpub
	Vpcmpw
	Vpcmpuw
	Vpcmpd
	Vpcmpud
	Vpcmpq
	Vpcmpuq
	Vptestmq
	VpsllwI
	VpsrlwI
	VpsrawI
	VpslldI
	VpsrldI
	VpsradI
	VpsraqI
	VpsllqI
	VpsrlqI
	VpsrldqI
	Vpsllvw
	Vpsrlvw
	Vpsravw
	Vpsllvd
	Vpsrlvd
	Vpsravd
	Vpsllvq
	Vpsrlvq
	Vpsravq
	VproldI
	VprolqI
	Vplzcntd
	Vplzcntq
	Vpsadbw
	Vpmaddubsw
	Vpmaddwd
	Vpblendmb
	Vpblendmw
	Vpblendmd
	Vpblendmq
	Vpblendvb

	// widening and narrowing of integers, shuffles, and vptest
	Vpmovsxbw
	Vpmovzxbw
	Vpmovsxbd
	Vpmovzxbd
	Vpmovsxbq
	Vpmovzxbq
	Vpmovsxwd
	Vpmovzxwd
	Vpmovsxwq
	Vpmovzxwq
	Vpmovsxdq
	Vpmovzxdq
	Vpmovwb
	Vpmovdb
	Vpmovqb
	Vpmovdw
	Vpmovqw
	Vpmovqd
	Vpackuswb
	Vpackusdw
	Vpunpckldq
	Vpunpcklqdq
	Vpunpckhdq
	Vpunpckhqdq
	Vpshufb
	VpermqI
	Vpermd
	Vpermq
	Vinserti128
	Vextracti128
	Vinserti32x4
	Vextracti32x4
	Vinserti64x4
	Vextracti64x4
	Vshufi64x2
	Vshufi32x4
	Vptest

	// masks
	Kandw
	Kandnw
	Korw
	Kxnorw
	Kxorw
	Knotw
	Kortestw
	Kandb
	Kandnb
	Korb
	Kxnorb
	Kxorb
	Knotb
	Kortestb
	Kandq
	Kandnq
	Korq
	Kxnorq
	Kxorq
	Knotq
	Kortestq
	Kandd
	Kandnd
	Kord
	Kxnord
	Kxord
	Knotd
	Kortestd
	KmovwR
	Kmovq
	KmovqS
	KmovdG
	KmovqG
	Kunpckbw
	Kunpckwd
	Kunpckdq
	Kshiftrw
	Kshiftrd
	Kshiftrq

	// gathers
	Vpgatherdd
	Vpgatherdq
	Vpgatherqd
	Vpgatherqq

	// matrices
	Ldtilecfg
	Tilezero
	Tileloadd
	Tilestored
	Tdpbusd
	Tilerelease

	// other
	Vzeroupper

	// bit manipulation of general registers
	Bzhiq

	// general registers
	Movsxd
	Xor
	Cmovl
	Cmovg
	Sfence
	Ret
	Jmp
	Je
	Jne
	Jl
	Jge
	Jle
	Jg
	numOps
)
