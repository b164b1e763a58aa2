package ops

import "sync"

// places knows how far the groups are in the partitions, and how far those go.
type places struct {
	mu   sync.Mutex
	next map[int32]map[string]int64 // by partition and group
	end  map[int32]int64
}

func newPlaces() *places {
	return &places{next: map[int32]map[string]int64{}, end: map[int32]int64{}}
}

func (p *places) reached(group string, partition int32, next int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next[partition] == nil {
		p.next[partition] = map[string]int64{}
	}
	p.next[partition][group] = next
}

func (p *places) forget(partition int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.next, partition)
}

func (p *places) ends(partition int32, end int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end[partition] = end
}

// lags returns how far each group is behind the end; a position beyond an end that was asked for earlier is not behind.
func (p *places) lags(partition int32) map[string]int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	end, known := p.end[partition]
	if !known {
		return nil
	}
	lags := make(map[string]int64, len(p.next[partition]))
	for group, next := range p.next[partition] {
		lags[group] = max(end-next, 0)
	}
	return lags
}
