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
CREATE INDEX "chart_views_project" ON "chart_views" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "chart_annotations_time" ON "chart_annotations" USING btree ("project_id","at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "cohorts_identifier" ON "cohorts" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE UNIQUE INDEX "leaderboards_identifier" ON "leaderboards" USING btree ("project_id","identifier");--> statement-breakpoint
CREATE INDEX "leaderboard_results_newest" ON "leaderboard_results" USING btree ("leaderboard_id","environment","computed_at");