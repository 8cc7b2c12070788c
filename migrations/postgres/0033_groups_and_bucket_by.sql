CREATE TABLE "audience_members" (
	"audience_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"size" bigint NOT NULL,
	"hashes" text NOT NULL,
	"keyed_by" text NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "experiments" ADD COLUMN "bucket_by" text;--> statement-breakpoint
CREATE INDEX "audience_members_project" ON "audience_members" USING btree ("project_id");