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
CREATE INDEX "deliveries_trouble" ON "deliveries" USING btree ("project_id","kind","status","position") WHERE status in ('FAILED', 'DEAD', 'DISMISSED', 'SKIPPED');