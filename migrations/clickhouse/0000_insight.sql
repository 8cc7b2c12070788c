CREATE TABLE IF NOT EXISTS "figure_entries" (
  "position" Int64,
  "project_id" String,
  "environment" String,
  "purchase_id" String,
  "transaction_id" Nullable(String),
  "kind" String,
  "key" String,
  "at" Int64,
  "known_at" Int64,
  "store" String,
  "store_product_id" String,
  "product" String,
  "country" Nullable(String),
  "platform" Nullable(String),
  "offering" Nullable(String),
  "placement" Nullable(String),
  "variant" Nullable(String),
  "price" Nullable(String),
  "pending_until" Nullable(Int64),
  "gross" Int64,
  "refunds" Int64,
  "commission" Int64,
  "charges" Int64,
  "returned" Int64,
  "unconverted" Int64,
  "unconverted_charges" Int64,
  "mrr_new" Int64,
  "mrr_reactivation" Int64,
  "mrr_expansion" Int64,
  "mrr_contraction" Int64,
  "mrr_churn" Int64,
  "mrr_unconverted" Int64,
  "paid_in" Int64,
  "paid_again" Int64,
  "paid_out" Int64,
  "trial_in" Int64,
  "trial_out" Int64,
  "trial_starts" Int64,
  "trial_converted" Int64,
  "renewals" Int64,
  "due" Int64,
  "due_micros" Int64,
  "active" Int64,
  "paused" Int64,
  "renewing" Int64,
  "billing_in" Int64,
  "billing_recovered" Int64,
  "billing_lost" Int64,
  "recovery_ms" Int64,
  "grace_in" Int64,
  "grace_recovered" Int64,
  "grace_lost" Int64,
  "end_voluntary" Int64,
  "end_billing" Int64,
  "end_price" Int64,
  "end_unavailable" Int64,
  "end_developer" Int64,
  "end_replaced" Int64,
  "end_unknown" Int64,
  "end_refund" Int64,
  "expired_out" Int64,
  "refund_out" Int64,
  "cancel_voluntary" Int64,
  "cancel_billing" Int64,
  "cancel_price" Int64,
  "cancel_other" Int64,
  "uncancelled" Int64,
  "churn_voluntary" Int64,
  "churn_billing" Int64,
  "churn_refund" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "environment", "at", "position");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "purchases" (
  "id" String,
  "project_id" String,
  "subscriber_id" String,
  "store" String,
  "environment" String,
  "product_id" Nullable(String),
  "original_transaction_id" String,
  "status" String,
  "fold" String,
  "effective_end" Nullable(Int64),
  "presented_context" Nullable(String),
  "created_at" Int64,
  "updated_at" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "purchase_observations" (
  "purchase_id" String,
  "kind" String,
  "id" String,
  "event_at" Int64,
  "payload" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("purchase_id", "kind", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "transactions" (
  "id" String,
  "project_id" String,
  "purchase_id" String,
  "subscriber_id" String,
  "store" String,
  "environment" String,
  "revenue_key" String,
  "store_transaction_id" String,
  "kind" String,
  "product_id" Nullable(String),
  "amount_micros" Nullable(Int64),
  "currency" Nullable(String),
  "usd_micros" Nullable(Int64),
  "quantity" Int64,
  "renewal_number" Int64,
  "occurred_at" Int64,
  "created_at" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "subscribers" (
  "id" String,
  "project_id" String,
  "app_user_id" Nullable(String),
  "attributes" String,
  "told_access" String,
  "is_synthetic" Bool,
  "merged_into" Nullable(String),
  "erased_at" Nullable(Int64),
  "first_seen_at" Int64,
  "last_seen_at" Int64,
  "created_at" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "events" (
  "position" Int64,
  "id" String,
  "project_id" String,
  "subscriber_id" Nullable(String),
  "seq" Nullable(Int64),
  "type" String,
  "app_user_id" Nullable(String),
  "environment" String,
  "occurred_at" Int64,
  "recorded_at" Int64,
  "cause" String,
  "before" Nullable(String),
  "after" Nullable(String),
  "data" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "position");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "client_events" (
  "position" Int64,
  "project_id" String,
  "subscriber_id" Nullable(String),
  "type" String,
  "occurred_at" Int64,
  "recorded_at" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "position");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "ledger" (
  "id" String,
  "project_id" String,
  "subscriber_id" String,
  "currency_id" String,
  "number" Int64,
  "type" String,
  "amount" Int64,
  "balance" Int64,
  "idempotency_key" Nullable(String),
  "grant_reference" Nullable(String),
  "reference_type" Nullable(String),
  "reference_id" Nullable(String),
  "description" Nullable(String),
  "created_at" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "balances" (
  "subscriber_id" String,
  "currency_id" String,
  "balance" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("currency_id", "subscriber_id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "experiment_assignments" (
  "experiment_id" String,
  "subscriber_id" String,
  "project_id" String,
  "variant_id" String,
  "hash_version" Int64,
  "assigned_at" Int64,
  "exposed_at" Nullable(Int64),
  "placement_id" Nullable(String),
  "platform" Nullable(String),
  "country" Nullable(String),
  "converted_at" Nullable(Int64),
  "crossed_at" Nullable(Int64),
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "experiment_id", "subscriber_id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "experiments" (
  "id" String,
  "project_id" String,
  "key" String,
  "name" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "products" (
  "id" String,
  "project_id" String,
  "identifier" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "virtual_currencies" (
  "id" String,
  "project_id" String,
  "code" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "id");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "session_projects" (
  "number" Int64,
  "project_id" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("number");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "session_subjects" (
  "number" Int64,
  "subscriber_id" String,
  "project_id" String,
  "opens" Int64,
  "play_ms" Int64,
  "first_day" Int64,
  "last_day" Int64,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("number");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "session_packs" (
  "key" Int64,
  "project" Int64,
  "day" Int64,
  "opens" Int64,
  "timed" Int64,
  "play_ms" Int64,
  "events" String,
  "versions" String,
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project", "day", "key");
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "deliveries" (
  "position" Int64,
  "id" String,
  "project_id" String,
  "kind" String,
  "target_id" String,
  "event_id" Nullable(String),
  "type" String,
  "seq" Nullable(Int64),
  "subscriber_id" Nullable(String),
  "status" String,
  "attempts" Int64,
  "due_at" Nullable(Int64),
  "last_status_code" Nullable(Int64),
  "last_error" Nullable(String),
  "skip_reason" Nullable(String),
  "is_test" Bool,
  "created_at" Int64,
  "ended_at" Nullable(Int64),
  "_version" UInt64,
  "_deleted" UInt8
) ENGINE = ReplacingMergeTree("_version", "_deleted") ORDER BY ("project_id", "position");
