CREATE TABLE "assistant_intents" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"thread_id" text,
	"action" text NOT NULL,
	"route" jsonb NOT NULL,
	"arguments" jsonb NOT NULL,
	"summary" text NOT NULL,
	"preview" jsonb NOT NULL,
	"base" jsonb NOT NULL,
	"digest" text NOT NULL,
	"capability" text NOT NULL,
	"risk" text NOT NULL,
	"proposed_by" text,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"decided_by" text,
	"decided_at" bigint,
	"result" jsonb,
	"replaced_by" text
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "via" jsonb;--> statement-breakpoint
CREATE INDEX "assistant_intents_project" ON "assistant_intents" USING btree ("project_id","status","id");--> statement-breakpoint
CREATE INDEX "assistant_intents_created" ON "assistant_intents" USING btree ("created_at");