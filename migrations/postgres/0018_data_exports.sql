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
CREATE INDEX "export_schedules_project" ON "export_schedules" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "export_schedules_due" ON "export_schedules" USING btree ("is_enabled","next_run_at");--> statement-breakpoint
CREATE INDEX "export_runs_project" ON "export_runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "export_runs_target" ON "export_runs" USING btree ("project_id","target","id");--> statement-breakpoint
CREATE INDEX "ledger_project" ON "ledger" USING btree ("project_id","id");