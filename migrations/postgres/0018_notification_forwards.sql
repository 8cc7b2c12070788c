CREATE TABLE "forward_bodies" (
	"store_event_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"content_type" text,
	"body" text NOT NULL,
	"open" bigint NOT NULL,
	"created_at" bigint NOT NULL
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
CREATE UNIQUE INDEX "notification_forwards_url" ON "notification_forwards" USING btree ("project_id","store","url");