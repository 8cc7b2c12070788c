CREATE TABLE "unsettled_files" (
	"folder" text PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"content_type" text NOT NULL,
	"hash" text NOT NULL,
	"bytes" bigint NOT NULL,
	"stored_bytes" bigint NOT NULL,
	"width" bigint,
	"height" bigint,
	"widths" jsonb NOT NULL,
	"alt" jsonb NOT NULL,
	"source" jsonb NOT NULL,
	"uploaded_by" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "font_families" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "font_faces" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"family_id" text NOT NULL,
	"weight" bigint NOT NULL,
	"style" text NOT NULL,
	"format" text NOT NULL,
	"content_hash" text NOT NULL,
	"bytes" bigint NOT NULL,
	"woff2_bytes" bigint NOT NULL,
	"latin_bytes" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "logo_asset_id" text;--> statement-breakpoint
CREATE INDEX "unsettled_files_created" ON "unsettled_files" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "assets_project" ON "assets" USING btree ("project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "font_families_name" ON "font_families" USING btree ("project_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "font_faces_look" ON "font_faces" USING btree ("family_id","weight","style");--> statement-breakpoint
CREATE INDEX "font_faces_project" ON "font_faces" USING btree ("project_id");