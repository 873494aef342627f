package core

// RequireReceiver panics if the receiver of the method op is missing: nil or a zero value.
func RequireReceiver(op string, missing bool) {
	if missing {
		refuseReceiver(op)
	}
}

//go:noinline // keeps programs small
func refuseReceiver(op string) {
	FailOp(ErrTree, op, nil, "the receiver is nil or a zero value; make one with the package's functions")
}
