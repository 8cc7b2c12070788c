CREATE TABLE "object_revisions" (
	"project_id" text NOT NULL,
	"object_id" text NOT NULL,
	"revision" bigint NOT NULL,
	"updated_by" jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "object_revisions_project_id_object_id_pk" PRIMARY KEY("project_id","object_id")
);
