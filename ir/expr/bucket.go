package expr

import "strconv"

// bucketNode is the start of the interval that holds a moment, in milliseconds since the epoch; null for null.
type bucketNode struct {
	moment node
	length int64 // milliseconds
}

func compileBucket(length string, moment node) (node, error) {
	n, err := strconv.ParseInt(length, 10, 64)
	if err != nil || n <= 0 {
		return nil, compileErrorf("%s is not the length of a bucket in milliseconds", clip(length))
	}
	return &bucketNode{moment: moment, length: n}, nil
}

func (n *bucketNode) eval(env *Env) (Value, error) {
	v, err := n.moment.eval(env)
	if err != nil || v.IsNull() {
		return Null(), err
	}
	micros, err := momentOf(v)
	if err != nil {
		return Value{}, err
	}
	return Int(floorDiv(floorDiv(micros, microsPerMilli), n.length) * n.length), nil
}
