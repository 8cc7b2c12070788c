CREATE TABLE "integrations" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"provider" text NOT NULL,
	"slot" text NOT NULL,
	"hint" text NOT NULL,
	"sealed_credentials" text NOT NULL,
	"enabled_events" jsonb NOT NULL,
	"event_mapping" jsonb NOT NULL,
	"include_sandbox" boolean NOT NULL,
	"is_enabled" boolean NOT NULL,
	"enabled_at" bigint NOT NULL,
	"last_error" text,
	"last_success_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_provider" ON "integrations" USING btree ("project_id","provider","slot");