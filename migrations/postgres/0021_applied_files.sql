CREATE TABLE "applied_files" (
	"project_id" text PRIMARY KEY NOT NULL,
	"applied_at" bigint NOT NULL,
	"applied_by" jsonb NOT NULL,
	"sections" jsonb NOT NULL
);
