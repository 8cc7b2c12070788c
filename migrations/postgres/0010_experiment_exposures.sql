CREATE TABLE "experiment_pauses" (
	"experiment_id" text NOT NULL,
	"paused_at" bigint NOT NULL,
	"resumed_at" bigint,
	CONSTRAINT "experiment_pauses_experiment_id_paused_at_pk" PRIMARY KEY("experiment_id","paused_at")
);
--> statement-breakpoint
CREATE TABLE "experiment_events" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"type" text NOT NULL,
	"experiment_key" text,
	"occurred_at" bigint NOT NULL,
	"recorded_at" bigint NOT NULL,
	"metadata" jsonb
);
--> statement-breakpoint
ALTER TABLE "experiment_assignments" ADD COLUMN "placement_id" text;--> statement-breakpoint
ALTER TABLE "experiment_assignments" ADD COLUMN "platform" text;--> statement-breakpoint
ALTER TABLE "experiment_assignments" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "experiment_assignments" ADD COLUMN "crossed_at" bigint;--> statement-breakpoint
ALTER TABLE "subscribers" ADD COLUMN "holdout_bucket" bigint;--> statement-breakpoint
CREATE INDEX "experiment_events_subscriber" ON "experiment_events" USING btree ("subscriber_id","occurred_at");--> statement-breakpoint
CREATE INDEX "experiment_events_recorded" ON "experiment_events" USING btree ("recorded_at");--> statement-breakpoint
CREATE INDEX "assignments_exposed" ON "experiment_assignments" USING btree ("experiment_id","variant_id","subscriber_id","exposed_at","converted_at","crossed_at") WHERE "experiment_assignments"."exposed_at" is not null;--> statement-breakpoint
CREATE INDEX "subscribers_holdout" ON "subscribers" USING btree ("project_id","holdout_bucket");--> statement-breakpoint
CREATE INDEX "subscribers_unbucketed" ON "subscribers" USING btree ("holdout_bucket") WHERE "subscribers"."holdout_bucket" is null;--> statement-breakpoint
CREATE INDEX "transactions_time" ON "transactions" USING btree ("project_id","occurred_at");