-- The tables of evil'; DROP TABLE x; -- \  {{app}}.

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

INSERT INTO "causetc"."meta" (layout, app, fork) VALUES (1, E'evil''; DROP TABLE x; -- \\ 
{{app}}', 'main');

CREATE TABLE "causetc"."""quoted"" table's@1" (
  "a""b" TEXT NOT NULL,
  "user" INTEGER NOT NULL,
  "order" TEXT,
  "order@" TEXT,
  "@created" TEXT,
  "@deleted" BYTEA,
  "SELECT" CHAR(3),
  "naïve – 列" JSON,
  "@created@" bytea NOT NULL DEFAULT '',
  "@first" bytea,
  "@deleted@" bytea NOT NULL DEFAULT '',
  "order@@" bytea,
  "order@@@" bytea,
  "@created@@" bytea,
  "@deleted@@" bytea,
  "SELECT@" bytea,
  "naïve – 列@" bytea,
  CONSTRAINT """quoted"" table's@1@key" PRIMARY KEY ("a""b", "user")
);

CREATE UNIQUE INDEX """quoted"" table's@1@a""b,order@index@unique" ON "causetc"."""quoted"" table's@1" ("a""b", "order") WHERE "@created@" > "@deleted@";

CREATE INDEX """quoted"" table's@1@order@desc" ON "causetc"."""quoted"" table's@1" ("order" DESC);

CREATE TABLE "causetc"."""quoted"" table's.set ""x""@1@ids" (
  key bytea NOT NULL,
  CONSTRAINT """quoted"" table's.set ""x""@1@ids@key" PRIMARY KEY (key)
);

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('"quoted" table''s', 1, 'live', 'hash of "quoted" table''s', E'{"name":"\\"quoted\\" table''s","hash":"hash of \\"quoted\\" table''s","tables":[{"name":"\\"quoted\\" table''s","class":"ordered","reasons":["unique"],"columns":[{"name":"a\\"b","type":{"name":"TEXT"},"role":"key"},{"name":"user","type":{"name":"INTEGER"},"role":"key"},{"name":"order","type":{"name":"TEXT"},"role":"plain"},{"name":"order@","type":{"name":"TEXT"},"role":"plain"},{"name":"@created","type":{"name":"TEXT"},"role":"plain"},{"name":"@deleted","type":{"name":"BYTEA"},"role":"plain"},{"name":"SELECT","type":{"name":"CHAR","length":3},"role":"plain"},{"name":"naïve – 列","type":{"name":"JSON"},"role":"plain"}],"key":["a\\"b","user"],"deletes":true,"updates":true,"indexes":[{"columns":["a\\"b","order"],"unique":true},{"columns":["order"],"desc":true}]}],"projections":[],"exact_ids":[{"name":"set \\"x\\""}]}');

CREATE VIEW """quoted"" table's" AS
SELECT "t"."a""b" AS "a""b",
  "t"."user" AS "user",
  "t"."order" AS "order",
  "t"."order@" AS "order@",
  "t"."@created" AS "@created",
  "t"."@deleted" AS "@deleted",
  "t"."SELECT" AS "SELECT",
  "t"."naïve – 列" AS "naïve – 列"
FROM "causetc"."""quoted"" table's@1" AS "t"
WHERE "t"."@created@" > "t"."@deleted@";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON """quoted"" table's"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

CREATE TABLE "causetc"."a_very_long_table_name_that_goes_on_and_on_until_it_~6741feda@1" (
  "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~5c6ced41" UUID NOT NULL,
  "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459" DATE,
  "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9" TIMESTAMP,
  "ssssssssssssssssssssssssssssssssssssssssssssssssssssss~e4a44013" SMALLINT NOT NULL DEFAULT 0,
  "@created" bytea NOT NULL DEFAULT '',
  "ccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459@" bytea,
  "ccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9@" bytea,
  CONSTRAINT "a_very_long_table_name_that_goes_on_and_on_until_i~3706c1cc@key" PRIMARY KEY ("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~5c6ced41")
);

CREATE INDEX "a_very_long_table_name_that_goes_on_and_on_until~7cc6577e@index" ON "causetc"."a_very_long_table_name_that_goes_on_and_on_until_it_~6741feda@1" ("cccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459", "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9");

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('a_very_long_table_name_that_goes_on_and_on_until_it_is_longer_than_postgres_keeps', 1, 'live', 'hash of a_very_long_table_na', '{"name":"a_very_long_table_name_that_goes_on_and_on_until_it_is_longer_than_postgres_keeps","hash":"hash of a_very_long_table_na","tables":[{"name":"a_very_long_table_name_that_goes_on_and_on_until_it_is_longer_than_postgres_keeps","class":"convergent","columns":[{"name":"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk","type":{"name":"UUID"},"role":"key"},{"name":"ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccé","type":{"name":"DATE"},"role":"plain"},{"name":"ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccè","type":{"name":"TIMESTAMP"},"role":"plain"},{"name":"ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss","type":{"name":"SMALLINT"},"role":"sum"}],"key":["kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"],"indexes":[{"columns":["ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccé","ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccè"]}]}],"projections":[]}');

CREATE VIEW "a_very_long_table_name_that_goes_on_and_on_until_it_is~6741feda" AS
SELECT "t"."kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~5c6ced41" AS "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~5c6ced41",
  "t"."cccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459" AS "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459",
  "t"."cccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9" AS "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9",
  "t"."ssssssssssssssssssssssssssssssssssssssssssssssssssssss~e4a44013" AS "ssssssssssssssssssssssssssssssssssssssssssssssssssssss~e4a44013"
FROM "causetc"."a_very_long_table_name_that_goes_on_and_on_until_it_~6741feda@1" AS "t";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "a_very_long_table_name_that_goes_on_and_on_until_it_is~6741feda"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

CREATE TABLE "causetc"."user@1" (
  "id" TEXT NOT NULL,
  "select" TEXT,
  "@created" bytea NOT NULL DEFAULT '',
  "select@" bytea,
  CONSTRAINT "user@1@key" PRIMARY KEY ("id")
);

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('user', 1, 'live', 'hash of user', '{"name":"user","hash":"hash of user","tables":[{"name":"user","class":"convergent","columns":[{"name":"id","type":{"name":"TEXT"},"role":"key"},{"name":"select","type":{"name":"TEXT"},"role":"plain"}],"key":["id"]}],"projections":[]}');

CREATE VIEW "user" AS
SELECT "t"."id" AS "id",
  "t"."select" AS "select"
FROM "causetc"."user@1" AS "t";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "user"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

CREATE TABLE "causetc"."where.dot@1" (
  "id" TEXT NOT NULL,
  "a.b" TEXT,
  "@created" bytea NOT NULL DEFAULT '',
  "a.b@" bytea,
  CONSTRAINT "where.dot@1@key" PRIMARY KEY ("id")
);

INSERT INTO "causetc"."groups" (name, version, state, hash, ir) VALUES ('where.dot', 1, 'live', 'hash of where.dot', '{"name":"where.dot","hash":"hash of where.dot","tables":[{"name":"where.dot","class":"convergent","columns":[{"name":"id","type":{"name":"TEXT"},"role":"key"},{"name":"a.b","type":{"name":"TEXT"},"role":"plain"}],"key":["id"]}],"projections":[]}');

CREATE VIEW "where.dot" AS
SELECT "t"."id" AS "id",
  "t"."a.b" AS "a.b"
FROM "causetc"."where.dot@1" AS "t";

CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON "where.dot"
FOR EACH ROW EXECUTE FUNCTION "causetc"."refuse_write"();

COMMIT;
