package mistakes

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// mistake is a wrong program.
type mistake struct {
	name    string // of the program in errors.jsonl that it is, in Go
	f       func()
	kind    error
	message []string // parts of the message: the operands' types, the operation
}

// The fix is an imperative that begins a clause.
var wayOut = regexp.MustCompile(`[;:,?] (or |for [^;]*)?(use|write|convert|give|make|pass|take|put|call|return|mark|compute|clone|split|keep|set|choose|wrap|select|index|cut|trace|declare|reshape|close over|look|add|drop|leave|name|run|ask|apply|read|check|multiply|pad|join|stack|move|squeeze|spread|mind|clip|let|begin|bind|start|copy|hand|build|attach|count|transpose|compare|broadcast|unwrap|draw|share)\b`)

// run checks a group's mistakes: each is an *Error of its kind at a line of this
// package, which names the operands and states a fix.
func run(t *testing.T, file string, ms []mistake) {
	for _, m := range ms {
		t.Run(m.name, func(t *testing.T) {
			err := testcheck.Recover(m.f)
			var e *weft.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v (%T), which is no *weft.Error", err, err)
			}
			if !errors.Is(err, m.kind) {
				t.Errorf("the kind is %v, want %v: %v", e.Kind, m.kind, err)
			}
			text := err.Error()
			if !regexp.MustCompile(`^` + regexp.QuoteMeta(file) + `:\d+: `).MatchString(lastOfPath(text)) {
				t.Errorf("the message does not begin with a line of %s: %s", file, text)
			}
			for _, s := range m.message {
				if !strings.Contains(text, s) {
					t.Errorf("the message does not contain %q: %s", s, text)
				}
			}
			_, sentence, _ := strings.Cut(text, ": ")
			if !wayOut.MatchString(strings.ToLower(sentence)) {
				t.Errorf("the message names no fix: %s", text)
			}
			if strings.Contains(text, "weft/core/") || strings.Contains(text, "goroutine ") {
				t.Errorf("the message shows the inside: %s", text)
			}
		})
	}
}

// lastOfPath returns a message without the folders of its position.
func lastOfPath(s string) string {
	pos, rest, _ := strings.Cut(s, ": ")
	return pos[strings.LastIndex(pos, "/")+1:] + ": " + rest
}

// notInGo states why a program of errors.jsonl is no mistake that can be made here.
var notInGo = map[string]string{}

func inapplicable(why string, names ...string) {
	for _, n := range names {
		notInGo[n] = why
	}
}

func init() {
	inapplicable("the compiler refuses it: no such type, arity or method",
		"unpack_wrong", "hash_tracer", "grad_tuple_output", "grad_argnums_range",
		"grad_argnums_str", "grad_aux_missing", "grad_holomorphic_real", "jvp_not_tuple", "value_and_grad_reduce_axes",
		"cond_pred_tuple", "cond_pred_string", "cond_wrong_arity",
		"while_cond_tuple", "scan_not_pair", "scan_triple", "cjvp_not_pair", "cjvp_missing_arg", "cvjp_fwd_not_pair", "cvjp_bwd_not_tuple", "cvjp_missing_arg",
		"sum_list", "float_shape", "set_item", "del_item", "conv_padding", "pad_config", "dtype_object")
	inapplicable("there are no numbered static arguments: a static is a field, a closure or not there",
		"jit_static_out_of_range", "jit_bad_argname", "cjvp_defjvps_nondiff")
	for name := range works {
		inapplicable("it works here: TestWorksHere", name)
	}
}

// own are mistakes that are not in errors.jsonl: what only Weft has, or what is near a
// program there whose mistake cannot be made in Go.
var own = map[string]bool{
	"conv_two_paddings": true, "pad_config_rank": true, "jit_static_nan": true, "linear_solve_shapes": true, "leak_key_of_argument": true,
	"random_float_words": true, "jit_wrapped_call": true, "grad_of_nothing": true,
}

// Every program of errors.jsonl is a mistake here, or there is a reason why not; and at
// least 220 of the 280 are.
func TestEveryMistakeIsMade(t *testing.T) {
	all := map[string]bool{}
	for _, ms := range groups {
		for _, m := range ms {
			if all[m.name] {
				t.Errorf("%s comes twice", m.name)
			}
			all[m.name] = true
		}
	}
	type record struct{ Name, Group, Source string }
	records, _ := golden.Records[record](t, "jax/errors.jsonl")
	made, excused := 0, 0
	known := map[string]bool{}
	for _, r := range records {
		known[r.Name] = true
		switch {
		case all[r.Name]:
			made++
		case notInGo[r.Name] != "":
			excused++
		default:
			t.Errorf("%s (%s) is not here: %s", r.Name, r.Group, r.Source)
		}
	}
	for name := range all {
		if !known[name] && !own[name] {
			t.Errorf("%s is no program of errors.jsonl", name)
		}
		if known[name] && own[name] {
			t.Errorf("%s is a program of errors.jsonl", name)
		}
	}
	for name := range notInGo {
		if !known[name] || all[name] {
			t.Errorf("%s has a reason why not, but is no program, or is made", name)
		}
	}
	if len(records) == 280 && made < 220 {
		t.Errorf("%d programs are made here, want 220", made)
	}
	t.Logf("%d programs: %d made here, %d with a reason why not", len(records), made, excused)
}
