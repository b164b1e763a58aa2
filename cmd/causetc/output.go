package main

import "io"

// output is standard output. It remembers the first failure, so that a text which never arrived does not end as a success,
// whoever wrote it and whether or not that one looked.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	if err != nil {
		o.err = usagef("standard output: %w", err)
		return n, o.err
	}
	return n, nil
}
