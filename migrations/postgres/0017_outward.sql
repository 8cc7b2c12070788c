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
CREATE UNIQUE INDEX "deliveries_id" ON "deliveries" USING btree ("id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("target_id","due_at");--> statement-breakpoint
CREATE INDEX "deliveries_order" ON "deliveries" USING btree ("target_id","subscriber_id","open_order");--> statement-breakpoint
CREATE INDEX "deliveries_open" ON "deliveries" USING btree ("project_id","open_order");--> statement-breakpoint
CREATE INDEX "deliveries_list" ON "deliveries" USING btree ("project_id","kind","position");--> statement-breakpoint
CREATE INDEX "deliveries_target" ON "deliveries" USING btree ("target_id","position");--> statement-breakpoint
CREATE INDEX "deliveries_subscriber" ON "deliveries" USING btree ("subscriber_id","position");--> statement-breakpoint
CREATE INDEX "delivery_targets_due" ON "delivery_targets" USING btree ("health","due_at");--> statement-breakpoint
CREATE INDEX "delivery_targets_project" ON "delivery_targets" USING btree ("project_id");