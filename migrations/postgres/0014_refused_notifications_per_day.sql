CREATE TABLE "store_refusals" (
	"project_id" text NOT NULL,
	"day" bigint NOT NULL,
	"kept" bigint NOT NULL,
	CONSTRAINT "store_refusals_project_id_day_pk" PRIMARY KEY("project_id","day")
);
