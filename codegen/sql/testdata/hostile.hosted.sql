-- The tables of evil'; DROP TABLE x; -- \  {{app}}.

CREATE TABLE """quoted"" table's" (
  "a""b" TEXT NOT NULL,
  "user" INTEGER NOT NULL,
  "order" TEXT,
  "order@" TEXT,
  "@created" TEXT,
  "@deleted" BYTEA,
  "SELECT" CHAR(3),
  "naïve – 列" JSON,
  PRIMARY KEY ("a""b", "user")
);

CREATE UNIQUE INDEX ON """quoted"" table's" ("a""b", "order");

CREATE INDEX ON """quoted"" table's" ("order" DESC);

CREATE TABLE "a_very_long_table_name_that_goes_on_and_on_until_it_is~6741feda" (
  "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~5c6ced41" UUID NOT NULL,
  "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459" DATE,
  "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9" TIMESTAMP,
  "ssssssssssssssssssssssssssssssssssssssssssssssssssssss~e4a44013" SMALLINT DEFAULT 0,
  PRIMARY KEY ("kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk~5c6ced41")
);

CREATE INDEX ON "a_very_long_table_name_that_goes_on_and_on_until_it_is~6741feda" ("cccccccccccccccccccccccccccccccccccccccccccccccccccccc~6fefb459", "cccccccccccccccccccccccccccccccccccccccccccccccccccccc~45da08d9");

CREATE TABLE "user" (
  "id" TEXT NOT NULL,
  "select" TEXT,
  PRIMARY KEY ("id")
);

CREATE TABLE "where.dot" (
  "id" TEXT NOT NULL,
  "a.b" TEXT,
  PRIMARY KEY ("id")
);
