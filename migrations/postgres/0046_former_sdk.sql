CREATE TABLE "former_sdk_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"last4" text NOT NULL,
	"platform" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_sdk_tokens" (
	"project_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "former_sdk_tokens_project_id_token_hash_pk" PRIMARY KEY("project_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "former_sdk_calls" (
	"project_id" text NOT NULL,
	"day" bigint NOT NULL,
	"platform" text NOT NULL,
	"flavor" text NOT NULL,
	"version" text NOT NULL,
	"call" text NOT NULL,
	"outcome" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "former_sdk_calls_project_id_day_platform_flavor_version_call_outcome_pk" PRIMARY KEY("project_id","day","platform","flavor","version","call","outcome")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "former_sdk_keys_hash" ON "former_sdk_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "former_sdk_keys_project" ON "former_sdk_keys" USING btree ("project_id");