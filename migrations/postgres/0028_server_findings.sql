CREATE TABLE "server_findings" (
	"name" text PRIMARY KEY NOT NULL,
	"facts" jsonb NOT NULL,
	"found_at" bigint NOT NULL
);
