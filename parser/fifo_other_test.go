//go:build !unix

package parser

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
