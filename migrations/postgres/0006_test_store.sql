CREATE TABLE "simulator_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"device_key" text NOT NULL,
	"type" text NOT NULL,
	"message" jsonb NOT NULL,
	"deliver_at" bigint NOT NULL,
	"taken_by" text,
	"taken_until" bigint NOT NULL,
	"attempts" bigint NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "simulator_stores" (
	"project_id" text PRIMARY KEY NOT NULL,
	"state" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "simulator_messages_project" ON "simulator_messages" USING btree ("project_id","seq");