-- "by_show" -> ["tickets.ticket_id" "seat"]
-- $1 {Input:show_id Moment:false Window:[] List:false Type:TEXT}
-- $2 {Input:seat Moment:false Window:[] List:false Type:TEXT}
-- $3 {Input:limit Moment:false Window:[] List:false Type:BIGINT}
SELECT "tickets"."ticket_id" AS "tickets.ticket_id",
  "tickets"."seat" AS "seat"
FROM "tickets"
WHERE "tickets"."show_id" = $1::TEXT
  AND "tickets"."seat" ILIKE $2::TEXT
ORDER BY 2, 1 DESC
LIMIT $3::BIGINT;

-- "expensive" -> ["ticket_id" "show_id" "seat" "price" "paid" "tags" "bought_at"]
-- $1 {Input:shows Moment:false Window:[] List:true Type:TEXT}
-- $2 {Input: Moment:true Window:[] List:false Type:TIMESTAMPTZ}
-- $3 {Input:window Moment:false Window:[24h 7d] List:false Type:TEXT}
SELECT "tickets"."ticket_id" AS "ticket_id",
  "tickets"."show_id" AS "show_id",
  "tickets"."seat" AS "seat",
  "tickets"."price" AS "price",
  "tickets"."paid" AS "paid",
  "tickets"."tags" AS "tags",
  "tickets"."bought_at" AS "bought_at"
FROM "tickets"
WHERE "tickets"."price" >= '10.5'::NUMERIC
  AND "tickets"."show_id" = ANY ($1::text[]::TEXT[])
  AND "tickets"."seat" NOT IN ('a'::TEXT, 'o''b'::TEXT)
  AND "tickets"."bought_at" >= ($2::TIMESTAMPTZ - $3::interval);

-- "paid_flags" -> ["paid"]
SELECT DISTINCT "tickets"."paid" AS "paid"
FROM "tickets"
WHERE "tickets"."paid" IS NOT NULL
ORDER BY 1;

-- "totals" -> ["tickets.show_id" "sales.sold" "count" "total" "mean" "lowest" "highest" "first_seat" "last_seat"]
SELECT "tickets"."show_id" AS "tickets.show_id",
  coalesce("sales"."sold", 0) AS "sales.sold",
  count(*) AS "count",
  coalesce(sum("tickets"."price"), 0) AS "total",
  avg("tickets"."price") AS "mean",
  min("tickets"."price") AS "lowest",
  max("tickets"."price") AS "highest",
  (array_agg("tickets"."seat" ORDER BY "tickets"."bought_at"))[1] AS "first_seat",
  (array_agg("tickets"."seat" ORDER BY "tickets"."bought_at" DESC))[1] AS "last_seat"
FROM "tickets"
LEFT JOIN "sales" ON "tickets"."show_id" = "sales"."show_id"
GROUP BY "tickets"."show_id", "sales"."sold"
ORDER BY 4 DESC;

-- "everything" -> ["ticket_id" "show_id" "seat" "price" "paid" "tags" "bought_at" "sales.show_id" "sales.sold" "sales.revenue" "sales.weight" "sales.status" "sales.discount" "sales.deleted_at"]
SELECT "tickets"."ticket_id" AS "ticket_id",
  "tickets"."show_id" AS "show_id",
  "tickets"."seat" AS "seat",
  "tickets"."price" AS "price",
  "tickets"."paid" AS "paid",
  "tickets"."tags" AS "tags",
  "tickets"."bought_at" AS "bought_at",
  "sales"."show_id" AS "sales.show_id",
  "sales"."sold" AS "sales.sold",
  "sales"."revenue" AS "sales.revenue",
  "sales"."weight" AS "sales.weight",
  "sales"."status" AS "sales.status",
  "sales"."discount" AS "sales.discount",
  "sales"."deleted_at" AS "sales.deleted_at"
FROM "tickets"
CROSS JOIN "sales";

