package core

// RequireReceiver refuses the nil or zero receiver of a method that op names.
func RequireReceiver(op string, missing bool) {
	if missing {
		refuseReceiver(op)
	}
}

func refuseReceiver(op string) {
	FailOp(ErrTree, op, nil, "the receiver is nil or a zero value; make one with the package's functions")
}
