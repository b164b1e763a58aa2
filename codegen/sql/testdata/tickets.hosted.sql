-- The tables of tickets.

CREATE TABLE "sales" (
  "show_id" TEXT NOT NULL,
  "sold" BIGINT DEFAULT 0,
  "revenue" DOUBLE PRECISION DEFAULT 0,
  "weight" REAL DEFAULT 0,
  "status" TEXT,
  "discount" NUMERIC(12, 2) DEFAULT '0',
  "deleted_at" TIMESTAMPTZ,
  PRIMARY KEY ("show_id")
);

CREATE INDEX ON "sales" ("status");

CREATE INDEX ON "sales" ("revenue" DESC);

CREATE TABLE "tickets" (
  "ticket_id" TEXT NOT NULL,
  "show_id" TEXT,
  "seat" VARCHAR(8),
  "price" NUMERIC(12, 2),
  "paid" BOOLEAN,
  "tags" JSONB,
  "bought_at" TIMESTAMPTZ,
  PRIMARY KEY ("ticket_id")
);

CREATE INDEX ON "tickets" ("show_id", "seat");

CREATE INDEX ON "tickets" ("bought_at" DESC);
