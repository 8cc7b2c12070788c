CREATE TABLE "placement_resolutions" (
	"project_id" text NOT NULL,
	"identifier" text NOT NULL,
	"resolutions" bigint NOT NULL,
	CONSTRAINT "placement_resolutions_project_id_identifier_pk" PRIMARY KEY("project_id","identifier")
);
