package arm64

import "strconv"

var condNames = [16]string{condEq: "eq", condNe: "ne", condGe: "ge", condLt: "lt", condGt: "gt", condLe: "le"}

// scalarNames are the letters of vector registers by the size of what is accessed.
var scalarNames = [...]string{"b", "h", "s", "d", "q"}

func general(wide bool, r Reg) string {
	switch {
	case r == zr && wide:
		return "xzr"
	case r == zr:
		return "wzr"
	case wide:
		return "x" + strconv.Itoa(int(r))
	}
	return "w" + strconv.Itoa(int(r))
}

func vector(arrangement string, r Reg) string { return "v" + strconv.Itoa(int(r)) + "." + arrangement }

func number(n int64) string { return "#" + strconv.FormatInt(n, 10) }

func element(arrangement string, r Reg, i int64) string {
	return vector(arrangement, r) + "[" + strconv.FormatInt(i, 10) + "]"
}

// distance returns the text of a distance as the GNU assembler reads it.
func distance(n int64) string {
	if n < 0 {
		return "." + strconv.FormatInt(n, 10)
	}
	return ".+" + strconv.FormatInt(n, 10)
}

// String returns the instruction in ARM's syntax: the destination first.
func (in *Inst) String() string { return in.text(distance(in.Imm)) }

// text returns the instruction with `place` as the position that it refers to.
func (in *Inst) text(place string) string {
	info := &opTable[in.Op]
	d, n, m := vector(info.arr[0], in.D), vector(info.arr[1], in.N), vector(info.arr[2], in.M)
	gd, gn, gm := general(info.wide, in.D), general(info.wide, in.N), general(info.wide, in.M)
	x := "[" + general(true, in.N) + "]"
	var ops string
	switch info.form {
	case formNone:
		return info.name
	case formVVV:
		ops = d + ", " + n + ", " + m
	case formVV:
		ops = d + ", " + n
	case formVVZ:
		ops = d + ", " + n + ", #0"
	case formVVF:
		ops = d + ", " + n + ", #0.0"
	case formVVI, formVVR:
		ops = d + ", " + n + ", " + number(in.Imm)
	case formVVVI:
		ops = d + ", " + n + ", " + m + ", " + number(in.Imm)
	case formTbl:
		ops = d + ", {" + n + "}, " + m
	case formVVE:
		ops = d + ", " + n + ", " + element(info.arr[2], in.M, in.Imm)
	case formV:
		ops = d + ", #0"
	case formVE:
		ops = d + ", " + element(info.arr[1], in.N, in.Imm)
	case formVG:
		ops = d + ", " + gn
	case formGE:
		ops = gd + ", " + element(info.arr[1], in.N, in.Imm)
	case formEG:
		ops = element(info.arr[0], in.D, in.Imm) + ", " + gn
	case formGV:
		ops = gd + ", d" + strconv.Itoa(int(in.N))
	case formLane:
		ops = "{" + d + "}[" + strconv.FormatInt(in.Imm, 10) + "], " + x
	case formAll:
		ops = "{" + d + "}, " + x
	case formLoad:
		ops = scalarNames[info.size] + strconv.Itoa(int(in.D)) + ", " + in.memory(info)
	case formLoadG:
		if in.Op == gPrfm {
			gd = "pldl1keep"
		}
		ops = gd + ", " + in.memory(info)
	case formPair:
		ops = "q" + strconv.Itoa(int(in.D)) + ", q" + strconv.Itoa(int(in.M)) + ", " + in.memory(info)
	case formLiteral:
		ops = "q" + strconv.Itoa(int(in.D)) + ", " + place
	case formWide:
		ops = gd + ", " + number(in.Imm>>2) + ", lsl " + number(16*(in.Imm&3))
	case formGGG:
		ops = gd + ", " + gn + ", " + gm
	case formGGS:
		ops = gd + ", " + gn + ", " + gm
		if in.Imm != 0 {
			ops += ", lsl " + number(in.Imm)
		}
	case formGGI, formGGM, formGGL, formGGR:
		ops = gd + ", " + gn + ", " + number(in.Imm)
	case formGGC:
		ops = gd + ", " + gn + ", " + gm + ", " + condNames[in.Cond]
	case formAdr, formJumpG:
		ops = gd + ", " + place
	case formJumpBit:
		ops = gd + ", " + number(int64(in.Bit)) + ", " + place
	case formJump:
		ops = place
	case formJumpIf:
		return info.name + condNames[in.Cond] + " " + place
	case formG:
		ops = gn
	}
	return info.name + " " + ops
}

func (in *Inst) memory(info *opInfo) string {
	base := "[" + general(true, in.N)
	switch {
	case in.Index && in.Shift:
		return base + ", " + general(true, in.M) + ", lsl " + number(int64(info.size)) + "]"
	case in.Index:
		return base + ", " + general(true, in.M) + "]"
	case in.Imm != 0:
		return base + ", " + number(in.Imm) + "]"
	}
	return base + "]"
}
