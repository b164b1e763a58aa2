package mutation

// open are the kinds of which the rules miss more than others, with the share that they reach at least.
var open = map[string]float64{
	// The items of an array that nothing reads may be declared in a way that can't be.
	"wrong item type": 40,
}
