package mutation

// The words of the language, so that no slip of the keyboard makes one of them.
const (
	typeNames     = "string number int integer decimal boolean bool array object any json timestamp datetime date uuid float double"
	columnTypes   = "TEXT VARCHAR CHAR SMALLINT TINYINT INT INTEGER BIGINT SERIAL BOOLEAN FLOAT DOUBLE REAL DECIMAL NUMERIC JSON JSONB UUID TIMESTAMP TIMESTAMPTZ DATE BYTEA PRECISION"
	functionNames = "concat coalesce isnull max min floor ceil size sum contains map join shard hash format_date is_prev_day lookup LOOKUP_FIELD"
	opWords       = `set add sub unset merge push remove filter find map sort clone if for_each foreach stop continue emit emit_each submit decision reject
		schedule lock unlock lookup relationship_create relationship_remove compute_regen increment update upsert replace delete soft_delete bulk_update
		eq neq gt gte lt lte in nin like ilike gte_window asc desc left right inner cross sum count avg min max first last true false null and or not
		event intent input entity state resources envelope derived it item project projection aggregate global platform payload type ts entity_id id
		event_id stream_id fork_id version key by`
)
