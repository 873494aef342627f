package prim

var reductionWords = merge(reduceWords, cumulativeWords, dotWords)
