package ptxeval

import "fmt"

// words returns the number of words of parameters: tensor maps follow the others, aligned to
// 64 bytes.
func (e *entry) words() int {
	if len(e.maps) == 0 {
		return e.params
	}
	return (e.params+7)/8*8 + len(e.maps)*mapWords
}

// runWarps runs the group of an entry whose warps go on by themselves until all threads are
// done. A copy by TMA is completed when no thread can go on without.
func (v *machine) runWarps() error {
	for i := range v.threads {
		t := &v.threads[i]
		t.waits, t.spins, t.accessed, t.met = false, false, false, false
	}
	v.tensor = nil
	for {
		moved, done := false, true
		for i := 0; i < len(v.threads); i += warpSize {
			m, err := v.advance(v.threads[i:min(i+warpSize, len(v.threads))])
			if err != nil {
				return err
			}
			moved = moved || m
		}
		m, err := v.meet()
		if err != nil {
			return err
		}
		for i := range v.threads {
			done = done && v.threads[i].done
		}
		switch {
		case done:
			return v.ended()
		case moved || m || v.deliver():
			continue
		}
		if m, err := v.deliverProducts(); err != nil {
			return err
		} else if !m {
			return v.deadlock()
		}
	}
}

// deadlock names a thread that waits where none can go on.
func (v *machine) deadlock() error {
	for i := range v.threads {
		if t := &v.threads[i]; !t.done {
			return bugf("line %d, thread %d: waits for ever", v.e.code[t.at-1].line, t.id)
		}
	}
	return nil
}

// ended returns an error if the group left something undone.
func (v *machine) ended() error {
	a := v.async()
	if len(a.flying) > 0 {
		return bugf("a copy to byte %d of shared memory is under way when the group ends", a.flying[0].at)
	}
	for g := range len(v.threads) / 128 {
		if len(a.open[g]) > 0 || len(a.committed[g]) > 0 {
			return bugf("wgmma of threads %d… is under way when the group ends", 128*g)
		}
	}
	return a.memory.left()
}

// blocked returns the instruction at which a thread waits for others, nil if it does not.
func (v *machine) blocked(t *thread) *inst {
	if t.done || !t.waits {
		return nil
	}
	return &v.e.code[t.at-1]
}

// advance runs the threads of a warp as far as they get, and the instructions that all of them
// wait at.
func (v *machine) advance(ts []thread) (moved bool, err error) {
	for {
		went := false
		for i := range ts {
			t := &ts[i]
			if t.done || t.waits {
				continue
			}
			spun := t.spins
			t.spins = false
			if err := v.until(t); err != nil {
				return moved, err
			}
			if went = went || !spun || !t.spins; !t.spins {
				t.waits = !t.done
			}
		}
		in := v.blocked(&ts[0])
		all := in != nil && (in.kind == collective || in.kind == exchange) && in.warps <= 1
		for i := range ts {
			all = all && v.blocked(&ts[i]) == in
		}
		if all {
			if err := v.perform(ts, in); err != nil {
				return true, err
			}
			went = true
		}
		if moved = moved || went; !went {
			return moved, nil
		}
	}
}

// perform runs an instruction of threads that all wait at it, and lets them go on.
func (v *machine) perform(ts []thread, in *inst) (err error) {
	switch {
	case in.kind == exchange:
		err = exchangeValues(ts, in)
	case in.together != nil:
		if err = in.together(v, ts, in); err == nil {
			err = v.fault
		}
	}
	if err != nil {
		return fmt.Errorf("line %d, threads %d…: %w", in.line, ts[0].id, err)
	}
	for i := range ts {
		ts[i].waits = false
	}
	return nil
}

// meet runs what four warps, or all threads of the group, wait for.
func (v *machine) meet() (moved bool, err error) {
	for i := 0; i < len(v.threads); i += 4 * warpSize {
		ts := v.threads[i:min(i+4*warpSize, len(v.threads))]
		in := v.blocked(&ts[0])
		all := in != nil && in.warps == 4
		for j := range ts {
			all = all && v.blocked(&ts[j]) == in
		}
		if all {
			if err := v.perform(ts, in); err != nil {
				return true, err
			}
			moved = true
		}
	}
	in := v.blocked(&v.threads[0])
	if in == nil || in.kind != barrier {
		return moved, nil
	}
	for i := range v.threads {
		switch b := v.blocked(&v.threads[i]); {
		case b == in:
		case b != nil && b.kind == barrier:
			return moved, bugf("line %d: threads wait at different barriers", b.line)
		default:
			return moved, nil
		}
	}
	v.nextEpoch()
	for i := range v.threads {
		if err := v.threads[i].order(); err != nil {
			return true, fmt.Errorf("line %d: %w", in.line, err)
		}
	}
	return true, v.perform(v.threads, in)
}
