-- The tables of partitions.

CREATE TABLE "by_hash" (
  "id" TEXT NOT NULL,
  "v" TEXT,
  PRIMARY KEY ("id")
) PARTITION BY HASH ("id");

CREATE TABLE "by_hash@h0" PARTITION OF "by_hash" FOR VALUES WITH (MODULUS 3, REMAINDER 0);

CREATE TABLE "by_hash@h1" PARTITION OF "by_hash" FOR VALUES WITH (MODULUS 3, REMAINDER 1);

CREATE TABLE "by_hash@h2" PARTITION OF "by_hash" FOR VALUES WITH (MODULUS 3, REMAINDER 2);

CREATE TABLE "by_list" (
  "region" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "n" INTEGER DEFAULT 0,
  PRIMARY KEY ("region", "id")
) PARTITION BY LIST ("region");

CREATE TABLE "by_list@default" PARTITION OF "by_list" DEFAULT;

CREATE TABLE "by_month" (
  "at" TIMESTAMPTZ NOT NULL,
  "id" TEXT NOT NULL,
  "v" TEXT,
  PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");

CREATE TABLE "by_month@default" PARTITION OF "by_month" DEFAULT;

CREATE UNIQUE INDEX ON "by_month" ("at", "v");

CREATE INDEX ON "by_month" ("v");
