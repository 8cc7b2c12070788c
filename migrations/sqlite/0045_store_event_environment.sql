ALTER TABLE `store_events` ADD `environment` text;--> statement-breakpoint
-- The payload of an iOS notification is base64url: "environment":"Production" and the names of the sandbox, at each of the
-- three places in a group of four letters. The signed parts inside are encoded twice, so they never match.
UPDATE store_events SET environment = CASE
  WHEN instr(body, 'ImVudmlyb25tZW50IjoiUHJvZHVjdGlvbi') > 0
    OR instr(body, 'JlbnZpcm9ubWVudCI6IlByb2R1Y3Rpb24i') > 0
    OR instr(body, 'iZW52aXJvbm1lbnQiOiJQcm9kdWN0aW9uI') > 0
    THEN 'PRODUCTION'
  WHEN instr(body, 'ImVudmlyb25tZW50IjoiU2FuZGJveC') > 0
    OR instr(body, 'JlbnZpcm9ubWVudCI6IlNhbmRib3gi') > 0
    OR instr(body, 'iZW52aXJvbm1lbnQiOiJTYW5kYm94I') > 0
    OR instr(body, 'ImVudmlyb25tZW50IjoiWGNvZGUi') > 0
    OR instr(body, 'JlbnZpcm9ubWVudCI6Ilhjb2RlI') > 0
    OR instr(body, 'iZW52aXJvbm1lbnQiOiJYY29kZS') > 0
    OR instr(body, 'ImVudmlyb25tZW50IjoiTG9jYWxUZXN0aW5nI') > 0
    OR instr(body, 'JlbnZpcm9ubWVudCI6IkxvY2FsVGVzdGluZy') > 0
    OR instr(body, 'iZW52aXJvbm1lbnQiOiJMb2NhbFRlc3Rpbmci') > 0
    THEN 'SANDBOX'
END
WHERE store = 'IOS_STORE' AND body <> '';--> statement-breakpoint
-- All objects of a payment event are of one mode. A quotation mark inside of a value has a backslash before it.
UPDATE store_events SET environment = CASE
  WHEN instr(body, '"livemode":true') > 0
    OR instr(body, '"livemode": true') > 0
    THEN 'PRODUCTION'
  WHEN instr(body, '"livemode":false') > 0
    OR instr(body, '"livemode": false') > 0
    THEN 'SANDBOX'
END
WHERE store = 'PAYMENT' AND body <> '';--> statement-breakpoint
-- A notification of Google Play names no environment. The purchase does that was recorded by it.
UPDATE store_events SET environment = found.environment
FROM (
  SELECT o.cause ->> 'ref' AS id, max(p.environment) AS environment
  FROM purchase_observations o JOIN purchases p ON p.id = o.purchase_id
  WHERE p.store = 'ANDROID_STORE' AND o.cause ->> 'kind' = 'STORE_NOTIFICATION'
  GROUP BY 1
) AS found
WHERE store_events.id = found.id AND store_events.store = 'ANDROID_STORE';
