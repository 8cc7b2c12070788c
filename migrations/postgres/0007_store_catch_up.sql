CREATE TABLE "store_catchups" (
	"project_id" text NOT NULL,
	"store" text NOT NULL,
	"environment" text NOT NULL,
	"up_to" bigint NOT NULL,
	CONSTRAINT "store_catchups_project_id_store_environment_pk" PRIMARY KEY("project_id","store","environment")
);
