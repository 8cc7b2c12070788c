CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"event_types" jsonb NOT NULL,
	"environments" jsonb NOT NULL,
	"is_ordered" boolean NOT NULL,
	"format" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"disabled_reason" text,
	"enabled_at" bigint NOT NULL,
	"sealed_secret" text NOT NULL,
	"secret_last4" text NOT NULL,
	"sealed_previous" text,
	"previous_until" bigint,
	"sealed_authorization" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_name" ON "webhook_endpoints" USING btree ("project_id","name");