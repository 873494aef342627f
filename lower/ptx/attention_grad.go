package ptx

import (
	"fmt"
	"math"

	"github.com/weft-go/weft/lower/simt"
)

// attentionGrad prints half of an attention's derivative by mma.sync. Each of four warps has 16
// rows, either of queries and cotangents or of keys and values, and goes through blocks of rows of
// the other two. In registers it turns the scores of a block into weights, and the products of
// cotangents and values into derivatives of the scores.
type attentionGrad struct {
	attention
	g          *simt.AttentionGrad
	own, other [2]int    // operands
	rows, cols [2]string // addresses from which the lane reads own and other operands, for scores and products
	mixed      [2]string // addresses from which it reads the right operands of sums
	products   []string  // of cotangents and values
	second     []string  // sums of the products of weights and cotangents
	// For queries, the greatest score, 1 / the sum of exponentials, and the weighted mean of the products of cotangents
	// and values. Where rows are queries, these are numbers of the lane's two rows. Where rows are keys, [i][0] is the
	// address of number i of the query in the lane's first column.
	numbers [3][2]string
	extent  [2]int // rows of own and of other operands
	item    string // number of the tile's item in the batch; of keys, along the axes that are not common
}

func (t *attentionGrad) print() {
	g := t.g
	t.own, t.other, t.extent, t.block = g.Own(), g.Others(), [2]int{g.T, g.S}, g.Block()
	if g.OfKeys {
		t.extent = [2]int{g.S, g.T}
	}
	t.lanes(t.calc(half, "mov.u32", "%tid.x"))
	base := t.calc(half, "mov.u32", t.name+"_s")
	at := 0
	for _, i := range t.own {
		at = t.layOut(base, i, t.extent[0], simt.AttentionQueries, at)
	}
	for _, i := range t.other {
		at = t.layOut(base, i, t.extent[1], t.block, at)
	}
	for i := range 2 {
		t.rows[i], t.cols[i] = t.asRows(base, t.own[i]), t.asColumns(base, t.other[i])
	}
	t.mixed[0] = t.asMixed(base, t.other[0])
	t.scores, t.products, t.sums = t.floats(t.block/2), t.floats(t.block/2), t.floats(g.H/2)
	if g.OfKeys {
		t.mixed[1] = t.asMixed(base, t.other[1])
		t.second = t.floats(g.D / 2)
	}
	for i := range t.numbers {
		if g.OfKeys {
			t.numbers[i][0] = t.temp(full)
			continue
		}
		t.numbers[i] = [2]string{t.temp(single), t.temp(single)}
	}
	t.keys = t.temp(half)
	tile, count := t.calc(half, "mov.u32", "%ctaid.x"), t.calc(half, "mov.u32", "%nctaid.x")
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", tile, g.Items()) }, func() {
		t.begin(tile)
		if g.OfKeys {
			t.ofKeys()
		} else {
			t.ofQueries()
		}
		t.line("add.u32 %s, %s, %s", tile, tile, count)
	})
}

// begin prints which rows a tile has, and their copies.
func (t *attentionGrad) begin(tile string) {
	tiles := (t.extent[0] + simt.AttentionQueries - 1) / simt.AttentionQueries
	t.item = t.calc(half, "div.u32", tile, tiles)
	t.first = t.calc(half, "mul.lo.u32", t.calc(half, "rem.u32", tile, tiles), simt.AttentionQueries)
	t.index = make([]string, len(t.Batch))
	last := len(t.Batch)
	if t.g.OfKeys {
		last -= t.g.Common
	}
	t.indices(t.item, 0, last)
	t.lines()
	for _, i := range t.own {
		t.place(i, t.first)
		t.copy(t.copies[i], t.first)
	}
}

// blocks prints a walk through the others' rows from row `begin` on: the scores of each block, its products of cotangents and values
// if `products` is set, and what `use` prints.
func (t *attentionGrad) blocks(begin string, products bool, use func()) {
	for _, i := range t.other {
		t.place(i, begin)
	}
	t.aim(begin)
	t.line("mov.u32 %s, %s", t.keys, begin)
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", t.keys, t.limit) }, func() {
		for _, i := range t.other {
			t.copy(t.copies[i], t.keys)
		}
		t.line("cp.async.commit_group")
		t.line("cp.async.wait_group 0")
		t.line("bar.sync 0")
		t.fit(t.scores, t.rows[0], t.cols[0], t.other[0])
		if products {
			t.fit(t.products, t.rows[1], t.cols[1], t.other[1])
		}
		use()
		t.line("bar.sync 0")
		for _, o := range t.scored() {
			for _, at := range t.near[o.operand] {
				t.line("add.u64 %s, %s, %d", at, at, t.block*t.along(o.operand, true)*o.size)
			}
		}
		t.line("add.u32 %s, %s, %d", t.keys, t.keys, t.block)
	})
}

// along returns the distance of neighbouring columns of scores, or of rows, in an operand. Rows are the group's own.
func (t *attentionGrad) along(operand int, columns bool) int {
	if columns != t.g.OfKeys {
		return t.Column[operand]
	}
	return t.Row[operand]
}

// aim prints the addresses of bias and mask for the lane's rows and its first column of the block that starts with row `begin`.
func (t *attentionGrad) aim(begin string) {
	for _, o := range t.scored() {
		column := t.calc(full, "cvt.u64.u32", t.calc(half, "add.u32", begin, t.pair))
		start := t.calc(full, "mad.lo.s64", column, t.along(o.operand, true)*o.size, t.start(o.operand, o.size))
		for h, row := range t.row {
			t.near[o.operand][h] = t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", row), t.along(o.operand, false)*o.size, start)
		}
	}
}

// score prints the scale, bias and mask of a score, and returns the predicate under which its derivative is 0, "" if it never is.
func (t *attentionGrad) score(x string, h, column int) (zero string) {
	least := fmt.Sprintf("0f%08X", math.Float32bits(float32(math.Inf(-1))))
	if t.Scale != 1 {
		t.line("mul.rn.f32 %s, %s, 0f%08X", x, x, math.Float32bits(t.Scale))
	}
	or := func(p string) {
		if zero == "" {
			zero = p
		} else {
			zero = t.calc(predicate, "or.pred", zero, p)
		}
	}
	at, guard, outside := "", "", ""
	if t.ragged() || t.Causal {
		at = t.calc(half, "add.u32", t.calc(half, "add.u32", t.keys, t.pair), column)
	}
	if t.ragged() {
		outside = t.calc(predicate, "setp.ge.u32", at, t.extent[1])
		if t.Biased || t.Masked {
			inside := t.calc(predicate, "setp.lt.u32", at, t.extent[1])
			guard = "@" + t.calc(predicate, "and.pred", inside, t.calc(predicate, "setp.lt.u32", t.row[h], t.extent[0])) + " "
		}
	}
	if t.Biased {
		b := t.calc(single, "mov.f32", "0f00000000")
		t.line("%sld.global.f32 %s, [%s+%d]", guard, b, t.near[simt.Bias][h], 4*column*t.along(simt.Bias, true))
		t.line("add.rn.f32 %s, %s, %s", x, x, b)
	}
	if t.Masked {
		m := t.calc(half, "mov.u32", 0)
		t.line("%sld.global.u8 %s, [%s+%d]", guard, m, t.near[simt.Mask][h], column*t.along(simt.Mask, true))
		test := "setp.eq.u32"
		if t.Fills {
			test = "setp.ne.u32"
		}
		p := t.calc(predicate, test, m, 0)
		t.line("selp.f32 %s, 0f%08X, %s, %s", x, math.Float32bits(t.Fill), x, p)
		or(p)
	}
	if t.Causal {
		query, key := t.row[h], at
		if t.g.OfKeys {
			query, key = key, query
		}
		p := t.calc(predicate, "setp.gt.u32", key, query)
		t.line("selp.f32 %s, %s, %s, %s", x, least, x, p)
		or(p)
	}
	if outside != "" {
		t.line("selp.f32 %s, %s, %s, %s", x, least, x, outside)
		or(outside)
	}
	return zero
}

// ragged reports whether a tile or a block may have rows that do not exist.
func (t *attentionGrad) ragged() bool {
	return t.extent[0]%simt.AttentionQueries != 0 || t.extent[1]%t.block != 0
}

// weight prints the weight of a score, in its place.
func (t *attentionGrad) weight(x, origin, factor string) {
	t.exp(x, origin)
	t.line("mul.rn.f32 %s, %s, %s", x, x, factor)
}

// differentiate prints the derivative of a score with weight x in the place of the product y.
func (t *attentionGrad) differentiate(x, y, mean, zero string) {
	t.line("sub.rn.f32 %s, %s, %s", y, y, mean)
	t.line("mul.rn.f32 %s, %s, %s", y, y, x)
	if t.g.Factor != 1 {
		t.line("mul.rn.f32 %s, %s, 0f%08X", y, y, math.Float32bits(t.g.Factor))
	}
	if zero != "" {
		t.line("selp.f32 %s, 0f00000000, %s, %s", y, y, zero)
	}
}

// ofQueries prints two walks through the keys: for the numbers of the rows, and for their sums.
func (t *attentionGrad) ofQueries() {
	t.limit = t.calc(half, "mov.u32", t.S)
	if t.Causal {
		t.limit = t.calc(half, "min.u32", t.limit, t.calc(half, "add.u32", t.first, simt.AttentionQueries))
	}
	zero := t.calc(half, "mov.u32", 0)
	most, total, mean := t.numbers[0], t.numbers[1], t.numbers[2]
	for h := range 2 {
		t.line("mov.f32 %s, 0f%08X", most[h], math.Float32bits(float32(math.Inf(-1))))
		t.line("mov.f32 %s, 0f00000000", total[h])
		t.line("mov.f32 %s, 0f00000000", mean[h])
	}
	t.blocks(zero, true, func() {
		for h := range 2 {
			greatest, origin, rescale := t.rescale(h, most[h], func(x string, h, column int) { t.score(x, h, column) })
			t.line("mov.f32 %s, %s", most[h], greatest)
			t.line("mul.rn.f32 %s, %s, %s", total[h], total[h], rescale)
			t.line("mul.rn.f32 %s, %s, %s", mean[h], mean[h], rescale)
			for n := range t.block / 8 {
				for e := range 2 {
					i := 4*n + 2*h + e
					x := t.exp(t.scores[i], origin)
					t.line("add.rn.f32 %s, %s, %s", total[h], total[h], x)
					t.line("fma.rn.f32 %s, %s, %s, %s", mean[h], x, t.products[i], mean[h])
				}
			}
		}
	})
	address := fmt.Sprintf("%%base%d", t.g.RowNumbers())
	row := t.calc(full, "cvt.u64.u32", t.item)
	row = t.calc(full, "mad.lo.s64", row, t.T, t.calc(full, "cvt.u64.u32", t.row[0]))
	address = t.calc(full, "mad.lo.s64", row, 4, address)
	one := t.calc(predicate, "setp.eq.u32", t.pair, 0)
	plane := t.calc(full, "mov.u64", 4*t.g.Batches()*t.T)
	for h := range 2 {
		t.across(total[h], "add.rn.f32")
		t.across(mean[h], "add.rn.f32")
		none := t.calc(predicate, "setp.eq.f32", most[h], fmt.Sprintf("0f%08X", math.Float32bits(float32(math.Inf(-1)))))
		t.line("selp.f32 %s, 0f00000000, %s, %s", most[h], most[h], none)
		t.line("div.rn.f32 %s, 0f3F800000, %s", total[h], total[h])
		t.line("mul.rn.f32 %s, %s, %s", mean[h], mean[h], total[h])
		inside := t.calc(predicate, "and.pred", one, t.calc(predicate, "setp.lt.u32", t.row[h], t.T))
		at := address
		for i := range t.numbers {
			if i > 0 {
				at = t.calc(full, "add.u64", at, plane)
			}
			t.line("@%s st.global.f32 [%s+%d], %s", inside, at, 32*h, t.numbers[i][h])
		}
	}
	t.zero(t.sums)
	t.blocks(zero, true, func() {
		for h := range 2 {
			for n := range t.block / 8 {
				for e := range 2 {
					i := 4*n + 2*h + e
					off := t.score(t.scores[i], h, 8*n+e)
					t.weight(t.scores[i], most[h], total[h])
					t.differentiate(t.scores[i], t.products[i], mean[h], off)
				}
			}
		}
		t.mix(t.sums, t.products, t.mixed[0], simt.Keys)
	})
	t.store(t.sums, 0, t.H)
}

// ofKeys prints the walk through the queries, for all heads that share the keys, or one for each result.
func (t *attentionGrad) ofKeys() {
	t.limit = t.calc(half, "mov.u32", t.T)
	begin := t.calc(half, "mov.u32", 0)
	if t.Causal {
		begin = t.first // queries before the first key have none of the tile
	}
	if t.g.Twice() {
		t.queries(begin, false, true)
		t.queries(begin, true, false)
	} else {
		t.queries(begin, true, true)
	}
	if t.Causal && t.S > t.T { // without queries nothing has waited for the tile's rows, which the next one replaces
		t.line("cp.async.commit_group")
		t.line("cp.async.wait_group 0")
	}
}

// queries prints a walk through the queries for the derivatives of keys, of values, or both.
func (t *attentionGrad) queries(begin string, keys, values bool) {
	if keys {
		t.zero(t.sums)
	}
	if values {
		t.zero(t.second)
	}
	head := t.calc(half, "mov.u32", 0)
	t.loopWhile(func() string { return t.calc(predicate, "setp.lt.u32", head, t.g.Shared()) }, func() {
		t.indices(head, len(t.Batch)-t.g.Common, len(t.Batch))
		item := t.calc(full, "cvt.u64.u32", t.calc(half, "mad.lo.u32", t.item, t.g.Shared(), head))
		column := t.calc(full, "cvt.u64.u32", t.calc(half, "add.u32", begin, t.pair))
		at := t.calc(full, "mad.lo.s64", t.calc(full, "mad.lo.s64", item, t.T, column), 4, fmt.Sprintf("%%base%d", t.g.RowNumbers()))
		for i := range t.numbers {
			t.line("add.u64 %s, %s, %d", t.numbers[i][0], at, 4*i*t.g.Batches()*t.T)
		}
		t.blocks(begin, keys, func() { t.columns(keys, values) })
		t.line("add.u32 %s, %s, 1", head, head)
	})
	if keys {
		t.store(t.sums, 0, t.H)
	}
	if values {
		t.store(t.second, 1, t.D)
	}
}

// columns prints the work with a block of queries. Each column of the scores belongs to one query.
func (t *attentionGrad) columns(keys, values bool) {
	for n := range t.block / 8 {
		for e := range 2 {
			column := 8*n + e
			guard := ""
			if t.extent[1]%t.block != 0 {
				at := t.calc(half, "add.u32", t.calc(half, "add.u32", t.keys, t.pair), column)
				guard = "@" + t.calc(predicate, "setp.lt.u32", at, t.T) + " "
			}
			var numbers [3]string
			for i := range numbers {
				if i == 2 && !keys {
					break
				}
				numbers[i] = t.calc(single, "mov.f32", "0f00000000")
				t.line("%sld.global.f32 %s, [%s+%d]", guard, numbers[i], t.numbers[i][0], 4*column)
			}
			for h := range 2 {
				i := 4*n + 2*h + e
				off := t.score(t.scores[i], h, column)
				t.weight(t.scores[i], numbers[0], numbers[1])
				if keys {
					t.differentiate(t.scores[i], t.products[i], numbers[2], off)
				}
			}
		}
	}
	for i := range t.numbers {
		t.line("add.u64 %s, %s, %d", t.numbers[i][0], t.numbers[i][0], 4*t.block)
	}
	if values {
		t.mix(t.second, t.scores, t.mixed[1], simt.Mixed)
	}
	if keys {
		t.mix(t.sums, t.products, t.mixed[0], simt.Queries)
	}
}

func (t *attentionGrad) zero(sums []string) {
	for _, s := range sums {
		t.line("mov.f32 %s, 0f00000000", s)
	}
}

func (t *attentionGrad) store(sums []string, result, features int) {
	narrow, size := t.g.Narrow[result], 4
	if narrow {
		size = 2
	}
	first := t.calc(full, "mul.wide.u32", t.item, t.extent[0])
	base := t.calc(full, "mad.lo.s64", t.calc(full, "cvt.u64.u32", t.pair), size, fmt.Sprintf("%%base%d", t.g.Results()[result]))
	for h, row := range t.row {
		at := t.calc(full, "mad.lo.s64", t.calc(full, "add.u64", first, t.calc(full, "cvt.u64.u32", row)), features*size, base)
		inside := t.calc(predicate, "setp.lt.u32", row, t.extent[0])
		for n := range features / 8 {
			x, y := sums[4*n+2*h], sums[4*n+2*h+1]
			if narrow {
				t.line("@%s st.global.b32 [%s+%d], %s", inside, at, 8*n*size, t.calc(half, "cvt.rn."+t.Kind.String()+"x2.f32", y, x))
				continue
			}
			t.line("@%s st.global.v2.f32 [%s+%d], {%s, %s}", inside, at, 8*n*size, x, y)
		}
	}
}
