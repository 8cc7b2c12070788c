CREATE TABLE "session_packs" (
	"key" bigint PRIMARY KEY NOT NULL,
	"project" bigint NOT NULL,
	"day" bigint NOT NULL,
	"opens" bigint NOT NULL,
	"timed" bigint NOT NULL,
	"play_ms" bigint NOT NULL,
	"events" text NOT NULL,
	"versions" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_projects" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session_subjects" (
	"number" bigserial PRIMARY KEY NOT NULL,
	"subscriber_id" text NOT NULL,
	"project_id" text NOT NULL,
	"opens" bigint NOT NULL,
	"play_ms" bigint NOT NULL,
	"first_day" bigint NOT NULL,
	"last_day" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_events" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text,
	"event_id" text,
	"type" text NOT NULL,
	"occurred_at" bigint NOT NULL,
	"recorded_at" bigint NOT NULL,
	"product_id" text,
	"amount" text,
	"currency" text,
	"event_source_url" text,
	"signals" jsonb
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"target_id" text NOT NULL,
	"event_id" text,
	"event_position" bigint,
	"type" text NOT NULL,
	"seq" bigint,
	"subscriber_id" text,
	"status" text NOT NULL,
	"attempts" bigint NOT NULL,
	"due_at" bigint,
	"open_order" bigint,
	"lease_id" text,
	"last_status_code" bigint,
	"last_error" text,
	"skip_reason" text,
	"is_test" boolean NOT NULL,
	"payload" text,
	"log" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint
);
--> statement-breakpoint
CREATE TABLE "delivery_targets" (
	"target_id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"project_id" text NOT NULL,
	"is_ordered" boolean NOT NULL,
	"health" text NOT NULL,
	"due_at" bigint,
	"dead_count" bigint NOT NULL,
	"last_success_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_cursors" (
	"project_id" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_hours" (
	"target_id" text NOT NULL,
	"hour_at" bigint NOT NULL,
	"succeeded" bigint NOT NULL,
	"failed" bigint NOT NULL,
	CONSTRAINT "delivery_hours_target_id_hour_at_pk" PRIMARY KEY("target_id","hour_at")
);
--> statement-breakpoint
CREATE TABLE "delivery_replays" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"target_id" text NOT NULL,
	"types" jsonb NOT NULL,
	"from" bigint NOT NULL,
	"to" bigint NOT NULL,
	"position" bigint NOT NULL,
	"until" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "forward_bodies" (
	"store_event_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"content_type" text,
	"body" text NOT NULL,
	"open" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"provider" text NOT NULL,
	"slot" text NOT NULL,
	"hint" text NOT NULL,
	"sealed_credentials" text NOT NULL,
	"enabled_events" jsonb NOT NULL,
	"event_mapping" jsonb NOT NULL,
	"include_sandbox" boolean NOT NULL,
	"is_enabled" boolean NOT NULL,
	"enabled_at" bigint NOT NULL,
	"last_error" text,
	"last_success_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"event_types" jsonb NOT NULL,
	"environments" jsonb NOT NULL,
	"is_ordered" boolean NOT NULL,
	"format" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"disabled_reason" text,
	"enabled_at" bigint NOT NULL,
	"sealed_secret" text NOT NULL,
	"secret_last4" text NOT NULL,
	"sealed_previous" text,
	"previous_until" bigint,
	"sealed_authorization" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notification_forwards" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"store" text NOT NULL,
	"url" text NOT NULL,
	"place" bigint NOT NULL,
	"last_status" bigint,
	"last_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "store_events" ADD COLUMN "posted_at" bigint;--> statement-breakpoint
CREATE INDEX "session_packs_day" ON "session_packs" USING btree ("project","day");--> statement-breakpoint
CREATE UNIQUE INDEX "session_projects_id" ON "session_projects" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "session_subjects_subscriber" ON "session_subjects" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "client_events_recorded" ON "client_events" USING btree ("project_id","recorded_at");--> statement-breakpoint
CREATE INDEX "client_events_id" ON "client_events" USING btree ("project_id","event_id","recorded_at") WHERE "client_events"."event_id" is not null;--> statement-breakpoint
CREATE INDEX "client_events_subscriber" ON "client_events" USING btree ("subscriber_id") WHERE "client_events"."subscriber_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_id" ON "deliveries" USING btree ("id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("target_id","due_at");--> statement-breakpoint
CREATE INDEX "deliveries_order" ON "deliveries" USING btree ("target_id","subscriber_id","open_order");--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("project_id","open_order");--> statement-breakpoint
CREATE INDEX "deliveries_list" ON "deliveries" USING btree ("project_id","kind","position");--> statement-breakpoint
CREATE INDEX "deliveries_target" ON "deliveries" USING btree ("target_id","position");--> statement-breakpoint
CREATE INDEX "deliveries_subscriber" ON "deliveries" USING btree ("subscriber_id","position");--> statement-breakpoint
CREATE INDEX "deliveries_trouble" ON "deliveries" USING btree ("project_id","kind","status","position") WHERE status in ('FAILED', 'DEAD', 'DISMISSED', 'SKIPPED');--> statement-breakpoint
CREATE INDEX "delivery_targets_due" ON "delivery_targets" USING btree ("health","due_at");--> statement-breakpoint
CREATE INDEX "delivery_targets_project" ON "delivery_targets" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_provider" ON "integrations" USING btree ("project_id","provider","slot");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_name" ON "webhook_endpoints" USING btree ("project_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "notification_forwards_url" ON "notification_forwards" USING btree ("project_id","store","url");