CREATE TABLE "access" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"display_name" text NOT NULL,
	"description" text,
	"metadata" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"label" text NOT NULL,
	"kind" text NOT NULL,
	"public_key" text,
	"secret_hash" text,
	"secret_last4" text,
	"previous_hash" text,
	"previous_until" bigint,
	"environment" text NOT NULL,
	"allowed_origins" jsonb,
	"rate_per_minute" bigint,
	"expires_at" bigint,
	"revoked_at" bigint,
	"last_used_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "experiment_assignments" (
	"experiment_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"project_id" text NOT NULL,
	"variant_id" text NOT NULL,
	"hash_version" bigint NOT NULL,
	"assigned_at" bigint NOT NULL,
	"exposed_at" bigint,
	"converted_at" bigint,
	CONSTRAINT "experiment_assignments_experiment_id_subscriber_id_pk" PRIMARY KEY("experiment_id","subscriber_id")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"at" bigint NOT NULL,
	"actor" jsonb NOT NULL,
	"action" text NOT NULL,
	"target" jsonb NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"prev_hash" text NOT NULL,
	"row_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "balances" (
	"subscriber_id" text NOT NULL,
	"currency_id" text NOT NULL,
	"balance" bigint NOT NULL,
	"number" bigint NOT NULL,
	CONSTRAINT "balances_subscriber_id_currency_id_pk" PRIMARY KEY("subscriber_id","currency_id")
);
--> statement-breakpoint
CREATE TABLE "cron_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"last_run_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "currency_grants" (
	"project_id" text NOT NULL,
	"product_id" text NOT NULL,
	"currency_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"grant_on" text NOT NULL,
	CONSTRAINT "currency_grants_product_id_currency_id_grant_on_pk" PRIMARY KEY("product_id","currency_id","grant_on")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text,
	"seq" bigint,
	"type" text NOT NULL,
	"app_user_id" text,
	"environment" text NOT NULL,
	"occurred_at" bigint NOT NULL,
	"recorded_at" bigint NOT NULL,
	"cause" jsonb NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"body_hash" text NOT NULL,
	"claimed_by" text NOT NULL,
	"claimed_at" bigint NOT NULL,
	"status" bigint,
	"content_type" text,
	"body" text,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"dedupe_key" text,
	"state" text NOT NULL,
	"run_at" bigint NOT NULL,
	"attempts" bigint NOT NULL,
	"max_attempts" bigint NOT NULL,
	"leased_by" text,
	"leased_until" bigint,
	"is_wanted_again" boolean DEFAULT false NOT NULL,
	"last_error" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"currency_id" text NOT NULL,
	"number" bigint NOT NULL,
	"type" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance" bigint NOT NULL,
	"idempotency_key" text,
	"grant_reference" text,
	"reference_type" text,
	"reference_id" text,
	"description" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchase_observations" (
	"purchase_id" text NOT NULL,
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"event_at" bigint NOT NULL,
	"payload" jsonb NOT NULL,
	"cause" jsonb NOT NULL,
	"recorded_at" bigint NOT NULL,
	CONSTRAINT "purchase_observations_purchase_id_kind_id_pk" PRIMARY KEY("purchase_id","kind","id")
);
--> statement-breakpoint
CREATE TABLE "offerings" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"is_default" boolean NOT NULL,
	"packages" jsonb NOT NULL,
	"metadata" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"type" text NOT NULL,
	"display_name" text NOT NULL,
	"ios_id" text,
	"android_id" text,
	"payment_id" text,
	"android_base_plan_id" text,
	"android_offer_id" text,
	"period" text,
	"access_ids" jsonb NOT NULL,
	"is_active" boolean NOT NULL,
	"metadata" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"timezone" text NOT NULL,
	"allowed_origins" jsonb NOT NULL,
	"terms_url" text,
	"privacy_url" text,
	"settings" jsonb NOT NULL,
	"config_version" bigint NOT NULL,
	"suspended_at" bigint,
	"deleted_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"store" text NOT NULL,
	"environment" text NOT NULL,
	"chain_key" text NOT NULL,
	"product_id" text,
	"original_transaction_id" text NOT NULL,
	"access_ids" jsonb,
	"account_token" text,
	"status" text NOT NULL,
	"fold" jsonb NOT NULL,
	"effective_end" bigint,
	"sweep_at" bigint,
	"presented_context" jsonb,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "revisions" (
	"name" text PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "simulator_chains" (
	"project_id" text NOT NULL,
	"original_transaction_id" text NOT NULL,
	"device_key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "simulator_chains_project_id_original_transaction_id_pk" PRIMARY KEY("project_id","original_transaction_id")
);
--> statement-breakpoint
CREATE TABLE "simulator_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"material" jsonb NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_settings" (
	"project_id" text NOT NULL,
	"section" text NOT NULL,
	"config" jsonb NOT NULL,
	"sealed" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "store_settings_project_id_section_pk" PRIMARY KEY("project_id","section")
);
--> statement-breakpoint
CREATE TABLE "subscribers" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"device_key" text NOT NULL,
	"app_user_id" text,
	"attributes" jsonb NOT NULL,
	"seq" bigint NOT NULL,
	"told_access" jsonb NOT NULL,
	"is_synthetic" boolean NOT NULL,
	"merged_into" text,
	"erased_at" bigint,
	"first_seen_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"store" text NOT NULL,
	"environment" text NOT NULL,
	"revenue_key" text NOT NULL,
	"store_transaction_id" text NOT NULL,
	"kind" text NOT NULL,
	"product_id" text,
	"amount_micros" bigint,
	"currency" text,
	"usd_micros" bigint,
	"quantity" bigint NOT NULL,
	"renewal_number" bigint NOT NULL,
	"occurred_at" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"cause" text NOT NULL,
	"from_subscriber_id" text NOT NULL,
	"to_subscriber_id" text NOT NULL,
	"moved" jsonb NOT NULL,
	"undone_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "virtual_currencies" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"clawback" text,
	"archived_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "access_identifier" ON "access" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_public" ON "api_keys" USING btree ("public_key");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_secret" ON "api_keys" USING btree ("secret_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_previous" ON "api_keys" USING btree ("previous_hash");--> statement-breakpoint
CREATE INDEX "api_keys_project" ON "api_keys" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "assignments_subscriber" ON "experiment_assignments" USING btree ("subscriber_id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_id" ON "audit_log" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_log_chain" ON "audit_log" USING btree ("project_id","prev_hash");--> statement-breakpoint
CREATE INDEX "grants_project" ON "currency_grants" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_id" ON "events" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "events_seq" ON "events" USING btree ("subscriber_id","seq");--> statement-breakpoint
CREATE INDEX "events_feed" ON "events" USING btree ("project_id","position");--> statement-breakpoint
CREATE INDEX "idempotency_age" ON "idempotency_keys" USING btree ("claimed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_dedupe" ON "jobs" USING btree ("name","dedupe_key") WHERE state <> 'DEAD';--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("state","run_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_number" ON "ledger" USING btree ("subscriber_id","currency_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_grant" ON "ledger" USING btree ("project_id","currency_id","grant_reference");--> statement-breakpoint
CREATE INDEX "ledger_idempotency" ON "ledger" USING btree ("project_id","currency_id","idempotency_key","subscriber_id") WHERE "ledger"."idempotency_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "offerings_identifier" ON "offerings" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE UNIQUE INDEX "products_identifier" ON "products" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE UNIQUE INDEX "products_ios" ON "products" USING btree ("project_id","ios_id");--> statement-breakpoint
CREATE INDEX "products_android" ON "products" USING btree ("project_id","android_id");--> statement-breakpoint
CREATE UNIQUE INDEX "products_payment" ON "products" USING btree ("project_id","payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_slug" ON "projects" USING btree ("slug");--> statement-breakpoint
CREATE INDEX "projects_config_version" ON "projects" USING btree ("config_version");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_chain" ON "purchases" USING btree ("project_id","store","chain_key");--> statement-breakpoint
CREATE INDEX "purchases_subscriber" ON "purchases" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "purchases_sweep" ON "purchases" USING btree ("sweep_at") WHERE "purchases"."sweep_at" is not null;--> statement-breakpoint
CREATE INDEX "purchases_product" ON "purchases" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "purchases_original" ON "purchases" USING btree ("project_id","store","original_transaction_id");--> statement-breakpoint
CREATE INDEX "purchases_account" ON "purchases" USING btree ("project_id","account_token") WHERE "purchases"."account_token" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscribers_device" ON "subscribers" USING btree ("project_id","device_key");--> statement-breakpoint
CREATE UNIQUE INDEX "subscribers_label" ON "subscribers" USING btree ("project_id","app_user_id");--> statement-breakpoint
CREATE INDEX "subscribers_merged" ON "subscribers" USING btree ("merged_into") WHERE "subscribers"."merged_into" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_revenue" ON "transactions" USING btree ("project_id","revenue_key");--> statement-breakpoint
CREATE INDEX "transactions_purchase" ON "transactions" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "transactions_subscriber" ON "transactions" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "transfers_project" ON "transfers" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "virtual_currencies_code" ON "virtual_currencies" USING btree ("project_id","code");