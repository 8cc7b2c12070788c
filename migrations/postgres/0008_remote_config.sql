CREATE TABLE "audiences" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"rules" jsonb NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "experiments" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"audience_id" text,
	"variants" jsonb NOT NULL,
	"metrics" jsonb NOT NULL,
	"mutual_exclusion_group" text,
	"placement_id" text,
	"scheduled_start_at" bigint,
	"scheduled_stop_at" bigint,
	"started_at" bigint,
	"completed_at" bigint,
	"winner_variant_id" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flags" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"env" text NOT NULL,
	"type" text NOT NULL,
	"description" text,
	"is_enabled" boolean NOT NULL,
	"default_value" jsonb NOT NULL,
	"rules" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "audiences_name" ON "audiences" USING btree ("project_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "experiments_key" ON "experiments" USING btree ("project_id","key");--> statement-breakpoint
CREATE UNIQUE INDEX "flags_key" ON "flags" USING btree ("project_id","key","env");