package primtest

func reductions() []Sample {
	var s []Sample
	return s
}
