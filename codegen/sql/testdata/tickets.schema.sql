-- The tables of tickets.

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

INSERT INTO "causetc"."meta" (layout, app, fork) VALUES (1, 'tickets', 'main');

CREATE TABLE "causetc"."sales@1" (
  "show_id" TEXT NOT NULL,
  "sold" BIGINT NOT NULL DEFAULT 0,
  "revenue" NUMERIC NOT NULL DEFAULT 0 CHECK ("revenue" = 0 OR abs("revenue") BETWEEN 1e-307 AND 1.7976931348623157e308),
  "weight" NUMERIC NOT NULL DEFAULT 0 CHECK ("weight" = 0 OR abs("weight") BETWEEN 1e-37 AND 3.4028234e38),
  "status" TEXT,
  "discount" NUMERIC(12, 2) DEFAULT '0',
  "deleted_at" TIMESTAMPTZ,
  "@created" bytea NOT NULL DEFAULT '',
  "@first" bytea,
  "status@" bytea,
  "discount@" bytea,
  "deleted_at@" bytea,
  CONSTRAINT "sales@1@key" PRIMARY KEY ("show_id")
);

CREATE INDEX "sales@1@status@index" ON "causetc"."sales@1" ((CASE WHEN "status@" IS NULL OR "status@" >= "@first" THEN "status" END));

CREATE INDEX "sales@1@revenue@desc" ON "causetc"."sales@1" ((("revenue")::DOUBLE PRECISION) DESC);

CREATE TABLE "causetc"."sales.sales@1@ids" (
  key bytea NOT NULL,
  CONSTRAINT "sales.sales@1@ids@key" PRIMARY KEY (key)
);

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('sales', 1, 'live', 'hash of sales', '{"name":"sales","hash":"hash of sales","tables":[{"name":"sales","class":"convergent","columns":[{"name":"show_id","type":{"name":"TEXT"},"role":"key"},{"name":"sold","type":{"name":"BIGINT"},"role":"sum"},{"name":"revenue","type":{"name":"DOUBLE PRECISION"},"role":"sum"},{"name":"weight","type":{"name":"REAL"},"role":"sum"},{"name":"status","type":{"name":"TEXT"},"role":"plain","hidden":true},{"name":"discount","type":{"name":"NUMERIC","precision":12,"scale":2},"role":"plain","default":"0","keep_on_replace":true,"hidden":true},{"name":"deleted_at","type":{"name":"TIMESTAMPTZ"},"role":"plain","hidden":true}],"key":["show_id"],"updates":true,"indexes":[{"columns":["status"]},{"columns":["revenue"],"desc":true}]}],"projections":[],"exact_ids":[{"name":"sales"}]}');

CREATE VIEW "sales" AS
SELECT "t"."show_id" AS "show_id",
  "t"."sold" AS "sold",
  ("t"."revenue")::DOUBLE PRECISION AS "revenue",
  ("t"."weight")::REAL AS "weight",
  CASE WHEN "t"."status@" IS NULL OR "t"."status@" >= "t"."@first" THEN "t"."status" END AS "status",
  CASE WHEN "t"."discount@" IS NULL OR "t"."discount@" >= "t"."@first" THEN "t"."discount" ELSE '0'::NUMERIC(12, 2) END AS "discount",
  CASE WHEN "t"."deleted_at@" IS NULL OR "t"."deleted_at@" >= "t"."@first" THEN "t"."deleted_at" END AS "deleted_at"
FROM "causetc"."sales@1" AS "t"
WHERE "t"."@created" > ''::bytea;

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "sales"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

CREATE TABLE "causetc"."tickets@1" (
  "ticket_id" TEXT NOT NULL,
  "show_id" TEXT,
  "seat" VARCHAR(8),
  "price" NUMERIC(12, 2),
  "paid" BOOLEAN,
  "tags" JSONB,
  "bought_at" TIMESTAMPTZ,
  "@created" bytea NOT NULL DEFAULT '',
  "@deleted" bytea NOT NULL DEFAULT '',
  "show_id@" bytea,
  "seat@" bytea,
  "price@" bytea,
  "paid@" bytea,
  "tags@" bytea,
  "bought_at@" bytea,
  CONSTRAINT "tickets@1@key" PRIMARY KEY ("ticket_id")
);

CREATE INDEX "tickets@1@show_id,seat@index" ON "causetc"."tickets@1" ("show_id", "seat");

CREATE INDEX "tickets@1@bought_at@desc" ON "causetc"."tickets@1" ("bought_at" DESC);

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('tickets', 1, 'live', 'hash of tickets', '{"name":"tickets","hash":"hash of tickets","tables":[{"name":"tickets","class":"convergent","columns":[{"name":"ticket_id","type":{"name":"TEXT"},"role":"key"},{"name":"show_id","type":{"name":"TEXT"},"role":"plain"},{"name":"seat","type":{"name":"VARCHAR","length":8},"role":"plain"},{"name":"price","type":{"name":"NUMERIC","precision":12,"scale":2},"role":"plain"},{"name":"paid","type":{"name":"BOOLEAN"},"role":"plain"},{"name":"tags","type":{"name":"JSONB"},"role":"plain"},{"name":"bought_at","type":{"name":"TIMESTAMPTZ"},"role":"plain"}],"key":["ticket_id"],"deletes":true,"indexes":[{"columns":["show_id","seat"]},{"columns":["bought_at"],"desc":true}]}],"projections":[]}');

CREATE VIEW "tickets" AS
SELECT "t"."ticket_id" AS "ticket_id",
  "t"."show_id" AS "show_id",
  "t"."seat" AS "seat",
  "t"."price" AS "price",
  "t"."paid" AS "paid",
  "t"."tags" AS "tags",
  "t"."bought_at" AS "bought_at"
FROM "causetc"."tickets@1" AS "t"
WHERE "t"."@created" > "t"."@deleted";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "tickets"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

COMMIT;
