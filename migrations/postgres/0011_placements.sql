CREATE TABLE "funnel_versions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"funnel_id" text NOT NULL,
	"version_no" bigint NOT NULL,
	"document" jsonb NOT NULL,
	"published_at" bigint NOT NULL,
	"published_by" jsonb
);
--> statement-breakpoint
CREATE TABLE "funnels" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"draft" jsonb NOT NULL,
	"current_version_no" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "placements" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"name" text NOT NULL,
	"rows" jsonb NOT NULL,
	"is_active" boolean NOT NULL,
	"revision" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_versions_no" ON "funnel_versions" USING btree ("funnel_id","version_no");--> statement-breakpoint
CREATE INDEX "funnel_versions_project" ON "funnel_versions" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "funnels_slug" ON "funnels" USING btree ("project_id","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "placements_identifier" ON "placements" USING btree ("project_id","identifier");