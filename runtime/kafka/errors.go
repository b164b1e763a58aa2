package kafka

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// OutsideLog reports whether an error says that a position is not in the log, or that the log has lost what was before it.
func OutsideLog(err error) bool {
	var lost *kgo.ErrDataLoss
	return errors.Is(err, kerr.OffsetOutOfRange) || errors.As(err, &lost)
}

// Refused reports whether an error says that the brokers won't have this client, however often it asks: wrong
// credentials or missing rights.
func Refused(err error) bool {
	for _, refusal := range []error{
		kerr.SaslAuthenticationFailed, kerr.UnsupportedSaslMechanism, kerr.IllegalSaslState,
		kerr.TopicAuthorizationFailed, kerr.GroupAuthorizationFailed, kerr.ClusterAuthorizationFailed,
	} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}
