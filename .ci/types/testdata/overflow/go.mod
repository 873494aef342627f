module example.org/overflow

go 1.26
