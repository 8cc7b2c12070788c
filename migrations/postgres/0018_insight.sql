CREATE TABLE "chart_views" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"chart_id" text NOT NULL,
	"params" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chart_annotations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"at" bigint NOT NULL,
	"text" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_changes" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"table_name" text NOT NULL,
	"row_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_tables" (
	"table_name" text PRIMARY KEY NOT NULL,
	"columns" text NOT NULL,
	"since" bigint NOT NULL,
	"done_until" text,
	"copied" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_state" (
	"id" bigint PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL,
	"holder" text,
	"held_until" bigint NOT NULL,
	"erased_at" bigint
);
--> statement-breakpoint
CREATE TABLE "cohorts" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"name" text NOT NULL,
	"definition" jsonb NOT NULL,
	"list_id" text NOT NULL,
	"size" bigint,
	"computed_at" bigint,
	"took_ms" bigint,
	"analysis" jsonb,
	"analysed_at" bigint,
	"analysis_took_ms" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cohort_members" (
	"list_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"started_at" bigint NOT NULL,
	CONSTRAINT "cohort_members_list_id_subscriber_id_pk" PRIMARY KEY("list_id","subscriber_id")
);
--> statement-breakpoint
CREATE TABLE "export_schedules" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"target" text NOT NULL,
	"endpoint" text,
	"region" text,
	"is_trusted" boolean NOT NULL,
	"sealed_credentials" text,
	"access_key_last4" text,
	"content" jsonb NOT NULL,
	"format" text NOT NULL,
	"column_set" text NOT NULL,
	"daily_at" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"next_run_at" bigint NOT NULL,
	"failures" bigint NOT NULL,
	"last_error" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "export_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"schedule_id" text,
	"target" text NOT NULL,
	"content" jsonb NOT NULL,
	"format" text NOT NULL,
	"column_set" text NOT NULL,
	"window_from" bigint,
	"window_to" bigint NOT NULL,
	"status" text NOT NULL,
	"progress" jsonb NOT NULL,
	"row_count" bigint NOT NULL,
	"byte_count" bigint NOT NULL,
	"attempts" bigint NOT NULL,
	"error" text,
	"owner" text,
	"seen_at" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "figure_answers" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"start" bigint NOT NULL,
	"end" bigint NOT NULL,
	"position" bigint NOT NULL,
	"moved" bigint NOT NULL,
	"computed_at" bigint NOT NULL,
	"answer" text NOT NULL,
	CONSTRAINT "figure_answers_project_id_name_start_end_pk" PRIMARY KEY("project_id","name","start","end")
);
--> statement-breakpoint
CREATE TABLE "figure_rolls" (
	"scope" text PRIMARY KEY NOT NULL,
	"rolled_until" bigint,
	"turn" bigint NOT NULL,
	"timezone" text NOT NULL,
	"basis" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_groups" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"environment" text NOT NULL,
	"dimension" text NOT NULL,
	"key" text NOT NULL,
	"store" text,
	"product" text,
	"country" text,
	"platform" text,
	"offering" text,
	"placement" text,
	"variant" text,
	"price" text
);
--> statement-breakpoint
CREATE TABLE "figure_sums" (
	"group_id" bigint NOT NULL,
	"level" bigint NOT NULL,
	"start" bigint NOT NULL,
	"kind" text NOT NULL,
	"gross" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"commission" bigint NOT NULL,
	"charges" bigint NOT NULL,
	"returned" bigint NOT NULL,
	"unconverted" bigint NOT NULL,
	"unconverted_charges" bigint NOT NULL,
	"mrr_unconverted" bigint NOT NULL,
	"mrr_new" bigint NOT NULL,
	"mrr_reactivation" bigint NOT NULL,
	"mrr_expansion" bigint NOT NULL,
	"mrr_contraction" bigint NOT NULL,
	"mrr_churn" bigint NOT NULL,
	"paid_in" bigint NOT NULL,
	"paid_again" bigint NOT NULL,
	"paid_out" bigint NOT NULL,
	"trial_in" bigint NOT NULL,
	"trial_out" bigint NOT NULL,
	"trial_starts" bigint NOT NULL,
	"trial_converted" bigint NOT NULL,
	"renewals" bigint NOT NULL,
	"due" bigint NOT NULL,
	"due_micros" bigint NOT NULL,
	"active" bigint NOT NULL,
	"paused" bigint NOT NULL,
	"renewing" bigint NOT NULL,
	"billing_in" bigint NOT NULL,
	"billing_recovered" bigint NOT NULL,
	"billing_lost" bigint NOT NULL,
	"recovery_ms" bigint NOT NULL,
	"grace_in" bigint NOT NULL,
	"grace_recovered" bigint NOT NULL,
	"grace_lost" bigint NOT NULL,
	"end_voluntary" bigint NOT NULL,
	"end_billing" bigint NOT NULL,
	"end_price" bigint NOT NULL,
	"end_unavailable" bigint NOT NULL,
	"end_developer" bigint NOT NULL,
	"end_replaced" bigint NOT NULL,
	"end_unknown" bigint NOT NULL,
	"end_refund" bigint NOT NULL,
	"expired_out" bigint NOT NULL,
	"refund_out" bigint NOT NULL,
	"cancel_voluntary" bigint NOT NULL,
	"cancel_billing" bigint NOT NULL,
	"cancel_price" bigint NOT NULL,
	"cancel_other" bigint NOT NULL,
	"uncancelled" bigint NOT NULL,
	"churn_voluntary" bigint NOT NULL,
	"churn_billing" bigint NOT NULL,
	"churn_refund" bigint NOT NULL,
	CONSTRAINT "figure_sums_group_id_level_start_kind_pk" PRIMARY KEY("group_id","level","start","kind")
);
--> statement-breakpoint
CREATE TABLE "figure_entries" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"environment" text NOT NULL,
	"purchase_id" text NOT NULL,
	"transaction_id" text,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"at" bigint NOT NULL,
	"known_at" bigint NOT NULL,
	"store" text NOT NULL,
	"store_product_id" text NOT NULL,
	"product" text NOT NULL,
	"country" text,
	"platform" text,
	"offering" text,
	"placement" text,
	"variant" text,
	"price" text,
	"pending_until" bigint,
	"gross" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"commission" bigint NOT NULL,
	"charges" bigint NOT NULL,
	"returned" bigint NOT NULL,
	"unconverted" bigint NOT NULL,
	"unconverted_charges" bigint NOT NULL,
	"mrr_new" bigint NOT NULL,
	"mrr_reactivation" bigint NOT NULL,
	"mrr_expansion" bigint NOT NULL,
	"mrr_contraction" bigint NOT NULL,
	"mrr_churn" bigint NOT NULL,
	"mrr_unconverted" bigint NOT NULL,
	"paid_in" bigint NOT NULL,
	"paid_again" bigint NOT NULL,
	"paid_out" bigint NOT NULL,
	"trial_in" bigint NOT NULL,
	"trial_out" bigint NOT NULL,
	"trial_starts" bigint NOT NULL,
	"trial_converted" bigint NOT NULL,
	"renewals" bigint NOT NULL,
	"due" bigint NOT NULL,
	"due_micros" bigint NOT NULL,
	"active" bigint NOT NULL,
	"paused" bigint NOT NULL,
	"renewing" bigint NOT NULL,
	"billing_in" bigint NOT NULL,
	"billing_recovered" bigint NOT NULL,
	"billing_lost" bigint NOT NULL,
	"recovery_ms" bigint NOT NULL,
	"grace_in" bigint NOT NULL,
	"grace_recovered" bigint NOT NULL,
	"grace_lost" bigint NOT NULL,
	"end_voluntary" bigint NOT NULL,
	"end_billing" bigint NOT NULL,
	"end_price" bigint NOT NULL,
	"end_unavailable" bigint NOT NULL,
	"end_developer" bigint NOT NULL,
	"end_replaced" bigint NOT NULL,
	"end_unknown" bigint NOT NULL,
	"end_refund" bigint NOT NULL,
	"expired_out" bigint NOT NULL,
	"refund_out" bigint NOT NULL,
	"cancel_voluntary" bigint NOT NULL,
	"cancel_billing" bigint NOT NULL,
	"cancel_price" bigint NOT NULL,
	"cancel_other" bigint NOT NULL,
	"uncancelled" bigint NOT NULL,
	"churn_voluntary" bigint NOT NULL,
	"churn_billing" bigint NOT NULL,
	"churn_refund" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_projects" (
	"project_id" text PRIMARY KEY NOT NULL,
	"config_version" bigint NOT NULL,
	"fingerprint" text NOT NULL,
	"done_until" text
);
--> statement-breakpoint
CREATE TABLE "leaderboards" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"name" text NOT NULL,
	"metric" text NOT NULL,
	"currency_id" text,
	"event_type" text,
	"window" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leaderboard_results" (
	"id" text PRIMARY KEY NOT NULL,
	"leaderboard_id" text NOT NULL,
	"environment" text NOT NULL,
	"computed_at" bigint NOT NULL,
	"window_start" bigint,
	"took_ms" bigint NOT NULL,
	"size" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leaderboard_pages" (
	"result_id" text NOT NULL,
	"number" bigint NOT NULL,
	"entries" jsonb NOT NULL,
	CONSTRAINT "leaderboard_pages_result_id_number_pk" PRIMARY KEY("result_id","number")
);
--> statement-breakpoint
CREATE TABLE "project_firsts" (
	"project_id" text PRIMARY KEY NOT NULL,
	"call_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_queries" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"sql" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_conversions" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"first_day" bigint NOT NULL,
	"currencies" jsonb NOT NULL,
	"state" text NOT NULL,
	"project_id" text NOT NULL,
	"occurred_at" bigint NOT NULL,
	"transaction_id" text NOT NULL,
	"checked" bigint NOT NULL,
	"changed" bigint NOT NULL,
	"tallies" jsonb NOT NULL,
	"started_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "purchase_moves" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"from_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"source" text NOT NULL,
	"day" bigint NOT NULL,
	"rates" text NOT NULL,
	"revision" bigint NOT NULL,
	CONSTRAINT "exchange_rates_source_day_pk" PRIMARY KEY("source","day")
);
--> statement-breakpoint
CREATE TABLE "rate_updates" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"source" text NOT NULL,
	"at" bigint NOT NULL,
	"added" bigint NOT NULL,
	"corrected" bigint NOT NULL,
	"first_day" bigint NOT NULL,
	"last_day" bigint NOT NULL,
	"currencies" jsonb NOT NULL,
	"corrections" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_fetches" (
	"source" text PRIMARY KEY NOT NULL,
	"tried_at" bigint NOT NULL,
	"succeeded_at" bigint,
	"fault" text
);
--> statement-breakpoint
CREATE INDEX "chart_views_project" ON "chart_views" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "chart_annotations_time" ON "chart_annotations" USING btree ("project_id","at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cohorts_identifier" ON "cohorts" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE INDEX "export_schedules_project" ON "export_schedules" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "export_schedules_due" ON "export_schedules" USING btree ("is_enabled","next_run_at");--> statement-breakpoint
CREATE INDEX "export_runs_project" ON "export_runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "export_runs_target" ON "export_runs" USING btree ("project_id","target","id");--> statement-breakpoint
CREATE INDEX "figure_answers_computed" ON "figure_answers" USING btree ("computed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "figure_groups_key" ON "figure_groups" USING btree ("project_id","key");--> statement-breakpoint
CREATE INDEX "figure_groups_dimension" ON "figure_groups" USING btree ("project_id","environment","dimension");--> statement-breakpoint
CREATE INDEX "figure_entries_purchase" ON "figure_entries" USING btree ("purchase_id","at");--> statement-breakpoint
CREATE INDEX "figure_entries_time" ON "figure_entries" USING btree ("project_id","environment","at","position");--> statement-breakpoint
CREATE INDEX "figure_entries_late" ON "figure_entries" USING btree ("project_id","environment","known_at") WHERE known_at - at > 86400000;--> statement-breakpoint
CREATE INDEX "figure_entries_pending" ON "figure_entries" USING btree ("project_id","environment","pending_until") WHERE "figure_entries"."pending_until" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "leaderboards_identifier" ON "leaderboards" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE INDEX "leaderboard_results_newest" ON "leaderboard_results" USING btree ("leaderboard_id","environment","computed_at");--> statement-breakpoint
CREATE INDEX "saved_queries_project" ON "saved_queries" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "rate_conversions_state" ON "rate_conversions" USING btree ("state","position");--> statement-breakpoint
CREATE INDEX "purchase_moves_project" ON "purchase_moves" USING btree ("project_id","position");--> statement-breakpoint
CREATE INDEX "exchange_rates_revision" ON "exchange_rates" USING btree ("revision");--> statement-breakpoint
CREATE UNIQUE INDEX "rate_updates_id" ON "rate_updates" USING btree ("id");--> statement-breakpoint
CREATE INDEX "ledger_project" ON "ledger" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "transactions_unconverted" ON "transactions" USING btree ("currency","project_id") WHERE usd_micros is null and currency is not null;--> statement-breakpoint
CREATE INDEX "subscribers_created" ON "subscribers" USING btree ("project_id","created_at");