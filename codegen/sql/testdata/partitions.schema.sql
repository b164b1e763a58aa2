-- The tables of partitions.

BEGIN;

CREATE SCHEMA IF NOT EXISTS "causetc";

CREATE TABLE "causetc"."meta" (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  layout integer NOT NULL,
  app text NOT NULL,
  fork text NOT NULL
);

CREATE TABLE "causetc"."groups" (
  name text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('live', 'building', 'retired')),
  hash text NOT NULL,
  ir text NOT NULL,
  PRIMARY KEY (name, version)
);

CREATE TABLE "causetc"."cursors" (
  group_name text NOT NULL,
  version integer NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  topic_id bytea NOT NULL,
  next bigint NOT NULL,
  clock bigint NOT NULL,
  ids bigint NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition)
);

CREATE TABLE "causetc"."barriers" (
  topic text NOT NULL,
  topic_id bytea NOT NULL,
  partitions_before integer NOT NULL,
  partitions_after integer NOT NULL,
  partition integer NOT NULL,
  next bigint NOT NULL,
  clock bigint NOT NULL,
  PRIMARY KEY (topic, topic_id, partitions_before, partition)
);

CREATE TABLE "causetc"."recent_ids" (
  group_name text NOT NULL,
  version integer NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  upto bigint NOT NULL,
  ids bytea NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition, upto)
);

CREATE TABLE "causetc"."runs" (
  group_name text NOT NULL,
  version integer NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  owners text[] NOT NULL,
  next bigint NOT NULL,
  trial bigint NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition)
);

CREATE TABLE "causetc"."decodings" (
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  owners text[] NOT NULL,
  PRIMARY KEY (topic, partition, "offset")
);

CREATE TABLE "causetc"."parked" (
  group_name text NOT NULL,
  version integer NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  clock bigint NOT NULL,
  projection text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  entity_id text NOT NULL,
  fork_id text NOT NULL,
  attempts integer NOT NULL,
  first_at timestamptz,
  last_at timestamptz,
  error_class text NOT NULL,
  sql_state text NOT NULL,
  message text NOT NULL,
  key bytea,
  value bytea,
  record_ts bigint NOT NULL,
  header_keys bytea[] NOT NULL,
  header_values bytea[] NOT NULL,
  next_at timestamptz,
  waiting boolean NOT NULL,
  keys bytea[] NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition, "offset")
);

CREATE TABLE "causetc"."dead_letters" (
  group_name text NOT NULL,
  version integer NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  clock bigint NOT NULL,
  projection text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  entity_id text NOT NULL,
  fork_id text NOT NULL,
  attempts integer NOT NULL,
  first_at timestamptz,
  last_at timestamptz,
  error_class text NOT NULL,
  sql_state text NOT NULL,
  message text NOT NULL,
  key bytea,
  value bytea,
  record_ts bigint NOT NULL,
  header_keys bytea[] NOT NULL,
  header_values bytea[] NOT NULL,
  id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  published_at timestamptz,
  replayed_at timestamptz,
  dropped_at timestamptz,
  PRIMARY KEY (group_name, version, topic, partition, "offset")
);

ALTER TABLE "causetc"."recent_ids" ALTER COLUMN ids SET STORAGE EXTERNAL;

CREATE INDEX dead_letters_unpublished ON "causetc"."dead_letters" (group_name, version, seq) WHERE published_at IS NULL;

CREATE INDEX dead_letters_id ON "causetc"."dead_letters" (id);

CREATE FUNCTION "causetc"."refuse_write"() RETURNS trigger
LANGUAGE plpgsql AS $causetc$
BEGIN
  RAISE EXCEPTION 'can''t % "%": its rows are derived from events by causetc', lower(TG_OP), TG_TABLE_NAME
    USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Emit an event that changes the row, or keep what is written by hand in a table of your own.';
END
$causetc$;

INSERT INTO "causetc"."meta" (layout, app, fork) VALUES (1, 'partitions', 'main');

CREATE TABLE "causetc"."by_hash@1" (
  "id" TEXT NOT NULL,
  "v" TEXT,
  "@created" bytea NOT NULL DEFAULT '',
  "v@" bytea,
  CONSTRAINT "by_hash@1@key" PRIMARY KEY ("id")
) PARTITION BY HASH ("id");

CREATE TABLE "causetc"."by_hash@1@h0" PARTITION OF "causetc"."by_hash@1" FOR VALUES WITH (MODULUS 3, REMAINDER 0);

CREATE TABLE "causetc"."by_hash@1@h1" PARTITION OF "causetc"."by_hash@1" FOR VALUES WITH (MODULUS 3, REMAINDER 1);

CREATE TABLE "causetc"."by_hash@1@h2" PARTITION OF "causetc"."by_hash@1" FOR VALUES WITH (MODULUS 3, REMAINDER 2);

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('by_hash', 1, 'live', 'hash of by_hash', '{"name":"by_hash","hash":"hash of by_hash","tables":[{"name":"by_hash","class":"convergent","columns":[{"name":"id","type":{"name":"TEXT"},"role":"key"},{"name":"v","type":{"name":"TEXT"},"role":"plain"}],"key":["id"],"partition":{"strategy":"hash","field":"id","partitions":3}}],"projections":[]}');

CREATE VIEW "by_hash" AS
SELECT "t"."id" AS "id",
  "t"."v" AS "v"
FROM "causetc"."by_hash@1" AS "t";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "by_hash"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

CREATE TABLE "causetc"."by_list@1" (
  "region" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "n" INTEGER NOT NULL DEFAULT 0,
  "@created" bytea NOT NULL DEFAULT '',
  CONSTRAINT "by_list@1@key" PRIMARY KEY ("region", "id")
) PARTITION BY LIST ("region");

CREATE TABLE "causetc"."by_list@1@default" PARTITION OF "causetc"."by_list@1" DEFAULT;

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('by_list', 1, 'live', 'hash of by_list', '{"name":"by_list","hash":"hash of by_list","tables":[{"name":"by_list","class":"convergent","columns":[{"name":"region","type":{"name":"TEXT"},"role":"key"},{"name":"id","type":{"name":"TEXT"},"role":"key"},{"name":"n","type":{"name":"INTEGER"},"role":"sum"}],"key":["region","id"],"partition":{"strategy":"list","field":"region"}}],"projections":[]}');

CREATE VIEW "by_list" AS
SELECT "t"."region" AS "region",
  "t"."id" AS "id",
  "t"."n" AS "n"
FROM "causetc"."by_list@1" AS "t";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "by_list"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

CREATE TABLE "causetc"."by_month@1" (
  "at" TIMESTAMPTZ NOT NULL,
  "id" TEXT NOT NULL,
  "v" TEXT,
  "@created" bytea NOT NULL DEFAULT '',
  "@deleted" bytea NOT NULL DEFAULT '',
  "v@" bytea,
  CONSTRAINT "by_month@1@key" PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");

CREATE TABLE "causetc"."by_month@1@default" PARTITION OF "causetc"."by_month@1" DEFAULT;

CREATE UNIQUE INDEX "by_month@1@at,v@index@unique" ON "causetc"."by_month@1" ("at", "v") WHERE "@created" > "@deleted";

CREATE INDEX "by_month@1@v@index" ON "causetc"."by_month@1" ("v");

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('by_month', 1, 'live', 'hash of by_month', '{"name":"by_month","hash":"hash of by_month","tables":[{"name":"by_month","class":"ordered","columns":[{"name":"at","type":{"name":"TIMESTAMPTZ"},"role":"key"},{"name":"id","type":{"name":"TEXT"},"role":"key"},{"name":"v","type":{"name":"TEXT"},"role":"plain"}],"key":["id","at"],"deletes":true,"indexes":[{"columns":["at","v"],"unique":true},{"columns":["v"]}],"partition":{"strategy":"range","field":"at","interval":"1 month","default_partition":true}}],"projections":[]}');

CREATE VIEW "by_month" AS
SELECT "t"."at" AS "at",
  "t"."id" AS "id",
  "t"."v" AS "v"
FROM "causetc"."by_month@1" AS "t"
WHERE "t"."@created" > "t"."@deleted";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "by_month"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

COMMIT;
