package prim

var reductionWords = merge(reduceWords, cumulativeWords, windowWords, dotWords, convWords, linalgWords, collectiveWords, callbackWords)
