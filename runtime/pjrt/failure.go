package pjrt

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/pjrt/internal/capi"
)

// explain returns the error of a step on the host if that has caused err, otherwise err.
func (c *client) explain(err error) error {
	var e *capi.Error
	if !errors.As(err, &e) {
		return err
	}
	if own := stepError(e.Message); own != nil {
		return own
	}
	return err
}

// place matches the part of the compiler's message that names a line of the module.
var place = regexp.MustCompile(`(?:-|<unknown>|<stdin>|"-"|loc\("[^"]*"):(\d+):\d+`)

// line matches the user's file and line at the end of a line of the module.
var line = regexp.MustCompile(`loc\("((?:[^"\\]|\\.)*)":(\d+):1\)$`)

// locate adds the user's line to an error of the compiler that names a line of the module.
func (c *client) locate(err error, r *runtime.Request, executor string, division *stablehlo.Division) error {
	err = c.explain(err)
	var e *capi.Error
	if !errors.As(err, &e) {
		return err
	}
	at := place.FindStringSubmatch(e.Message)
	if at == nil {
		return err
	}
	n, _ := strconv.Atoi(at[1])
	m, failed := c.write(r, true, division)
	if failed != nil {
		return err
	}
	dropSteps(m.steps)
	lines := strings.Split(m.text, "\n")
	if n < 1 || n > len(lines) {
		return err
	}
	user := line.FindStringSubmatch(lines[n-1])
	if user == nil {
		return err
	}
	return &core.Error{Kind: core.ErrDevice, Op: r.Label, Pos: user[1] + ":" + user[2], Msg: fmt.Sprintf("executor %s failed", executor), Err: err}
}
