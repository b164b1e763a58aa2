-- "q'; --" -> ["user.id" "dot"]
-- $1 {Input:x"' Moment:false Window:[] List:false Type:TEXT}
SELECT "user"."id" AS "user.id",
  "where.dot"."a.b" AS "dot"
FROM "user"
JOIN "where.dot" ON "user"."id" = "where.dot"."id"
WHERE "user"."select" = E'''; DROP TABLE "user"; -- \\'' $1'::TEXT
  AND "user"."id" = $1::TEXT;

