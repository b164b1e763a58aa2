package ops

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/causetc/causetc/runtime/worker"
)

// metrics are the worker's. What a counter counts began with the process; what a gauge says comes from the database or the
// brokers and survives it.
type metrics struct {
	registry *prometheus.Registry
	own      []prometheus.Collector // ours, without those of the process

	info        *prometheus.GaugeVec
	ready       prometheus.Gauge
	partitions  prometheus.Gauge
	groupUp     *prometheus.GaugeVec
	position    *prometheus.GaugeVec
	end         *prometheus.GaugeVec
	lag         *prometheus.GaugeVec
	parked      *prometheus.GaugeVec
	waiting     *prometheus.GaugeVec
	letters     *prometheus.GaugeVec
	unpublished *prometheus.GaugeVec
	records     *prometheus.CounterVec
	applied     *prometheus.CounterVec
	duplicates  *prometheus.CounterVec
	skipped     *prometheus.CounterVec
	retries     *prometheus.CounterVec
	stale       *prometheus.CounterVec
	dead        *prometheus.CounterVec
	outages     *prometheus.CounterVec
	batchSize   *prometheus.HistogramVec
	batchTime   *prometheus.HistogramVec

	places *places
}

// Labels.
const (
	labelGroup     = "group"
	labelPartition = "partition"
	labelReason    = "reason"
	labelClass     = "class"
)

func newMetrics(version string) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), places: newPlaces()}
	m.makeGauges()
	m.makeCounters()
	m.registry.MustRegister(m.own...)
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.info.WithLabelValues(version).Set(1)
	return m
}

func (m *metrics) makeGauges() {
	m.info = m.gauge("causetc_build_info", "Always 1; the version is a label.", "version")
	m.groupUp = m.gauge("causetc_group_up", "1 where the group is worked for, 0 where it is stopped by what is deployed.", labelGroup)
	m.position = m.gauge("causetc_position", "Offset of the next record that the group consumes.", labelGroup, labelPartition)
	m.end = m.gauge("causetc_end", "Offset after the last committed record of the partition.", labelPartition)
	m.lag = m.gauge("causetc_lag", "Records that the group has not consumed yet.", labelGroup, labelPartition)
	m.parked = m.gauge("causetc_parked", "Failed events that are tried again.", labelGroup, labelPartition)
	m.waiting = m.gauge("causetc_waiting", "Events that wait for a parked one with which they share a key.", labelGroup, labelPartition)
	m.letters = m.gauge("causetc_dead_letters", "Dead letters in the database, neither replayed nor dropped.", labelGroup)
	m.unpublished = m.gauge("causetc_dead_letters_unpublished", "Dead letters that are not on their topic yet.", labelGroup)
	m.ready = prometheus.NewGauge(prometheus.GaugeOpts{Name: "causetc_ready", Help: "1 where /readyz is green."})
	m.partitions = prometheus.NewGauge(prometheus.GaugeOpts{Name: "causetc_assigned_partitions", Help: "Partitions that this worker has."})
	m.own = append(m.own, m.ready, m.partitions)
}

func (m *metrics) makeCounters() {
	m.records = m.counter("causetc_records_total", "Records consumed, transaction markers left out.", labelGroup, labelPartition)
	m.applied = m.counter("causetc_applied_total", "Events whose effect is in the tables, at the first attempt or a later one.", labelGroup, labelPartition)
	m.duplicates = m.counter("causetc_duplicates_total", "Records whose event id was seen before.", labelGroup, labelPartition)
	m.stale = m.counter("causetc_stale_total", "Rows that had a newer write when an older one came.", labelGroup)
	m.skipped = m.counter("causetc_skipped_total", "Records that are none of the group's: tombstone, no_event_type, other_fork, not_named.", labelGroup, labelReason)
	m.retries = m.counter("causetc_retries_total", "Failed attempts on events that are tried again.", labelGroup)
	m.dead = m.counter("causetc_dead_total", "Events given to the dead letters, by class of error: event, undecodable.", labelGroup, labelClass)
	m.outages = m.counter("causetc_outages_total", "Steps that the database or the brokers made fail, each counted once however often it was tried; no group: of the worker as a whole.", labelGroup)
	m.batchSize = m.histogram("causetc_batch_records", "Records in a transaction.", prometheus.ExponentialBuckets(1, 4, 8))
	m.batchTime = m.histogram("causetc_batch_seconds", "Time that a transaction took, tries that failed and the waits between them included.", prometheus.ExponentialBuckets(0.001, 2, 16))
}

func (m *metrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	m.own = append(m.own, v)
	return v
}

func (m *metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.own = append(m.own, v)
	return v
}

func (m *metrics) histogram(name, help string, buckets []float64) *prometheus.HistogramVec {
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{labelGroup})
	m.own = append(m.own, v)
	return v
}

func number(partition int32) string { return strconv.Itoa(int(partition)) }

// wrote counts what a transaction did.
func (m *metrics) wrote(t worker.Transaction) {
	p := number(t.Partition)
	m.applied.WithLabelValues(t.Group, p).Add(float64(t.Outcomes.Applied))
	m.retries.WithLabelValues(t.Group).Add(float64(t.Outcomes.Parked))
	m.stale.WithLabelValues(t.Group).Add(float64(t.Outcomes.Stale))
	for _, class := range t.Dead {
		m.dead.WithLabelValues(t.Group, class).Inc()
	}
	m.batchTime.WithLabelValues(t.Group).Observe(t.Took.Seconds())
	if t.Records == 0 {
		return // attempts on parked events: these records were counted before
	}
	m.records.WithLabelValues(t.Group, p).Add(float64(t.Records))
	m.duplicates.WithLabelValues(t.Group, p).Add(float64(t.Outcomes.Duplicates))
	m.batchSize.WithLabelValues(t.Group).Observe(float64(t.Records))
	for reason, n := range map[string]int{"tombstone": t.Skips.Tombstones, "no_event_type": t.Skips.NotEvents,
		"other_fork": t.Skips.OtherForks, "not_named": t.Skips.NotNamed} {
		m.skipped.WithLabelValues(t.Group, reason).Add(float64(n))
	}
}

// standing shows how a group stands in a partition.
func (m *metrics) standing(s worker.Standing) {
	p := number(s.Partition)
	m.position.WithLabelValues(s.Group, p).Set(float64(s.Next))
	m.parked.WithLabelValues(s.Group, p).Set(float64(s.Parked))
	m.waiting.WithLabelValues(s.Group, p).Set(float64(s.Waiting))
	m.places.reached(s.Group, s.Partition, s.Next)
	m.showLag(s.Partition)
}

// forget takes away what only the owner of a partition knows.
func (m *metrics) forget(partition int32) {
	m.places.forget(partition)
	at := prometheus.Labels{labelPartition: number(partition)}
	for _, v := range []*prometheus.GaugeVec{m.position, m.lag, m.parked, m.waiting} {
		v.DeletePartialMatch(at)
	}
}

// showEnds shows where the partitions end.
func (m *metrics) showEnds(ends map[int32]int64) {
	for partition, end := range ends {
		m.end.WithLabelValues(number(partition)).Set(float64(end))
		m.places.ends(partition, end)
		m.showLag(partition)
	}
}

func (m *metrics) showLag(partition int32) {
	for group, lag := range m.places.lags(partition) {
		m.lag.WithLabelValues(group, number(partition)).Set(float64(lag))
	}
}
