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
CREATE INDEX "session_packs_day" ON "session_packs" USING btree ("project","day");--> statement-breakpoint
CREATE UNIQUE INDEX "session_projects_id" ON "session_projects" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "session_subjects_subscriber" ON "session_subjects" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "client_events_recorded" ON "client_events" USING btree ("project_id","recorded_at");--> statement-breakpoint
CREATE INDEX "client_events_id" ON "client_events" USING btree ("project_id","event_id","recorded_at") WHERE "client_events"."event_id" is not null;--> statement-breakpoint
CREATE INDEX "client_events_subscriber" ON "client_events" USING btree ("subscriber_id") WHERE "client_events"."subscriber_id" is not null;