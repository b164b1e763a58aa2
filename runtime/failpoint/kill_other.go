//go:build failpoints && !unix

package failpoint

import "os"

// kill ends the process at once; nothing that is deferred runs.
func kill() { os.Exit(137) }

// stop does nothing where processes can't stand still.
func stop() {}
