CREATE TABLE "billing_accounts" (
	"project_id" text PRIMARY KEY NOT NULL,
	"life" jsonb NOT NULL,
	"lead_ms" bigint NOT NULL,
	"details" jsonb,
	"mailed_pause" bigint,
	"first_mail_at" bigint,
	"second_mail_at" bigint,
	"closed_subscription" text,
	"card_needed_by" bigint
);
--> statement-breakpoint
CREATE TABLE "billing_customers" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_events" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"at" bigint NOT NULL,
	"rank" bigint NOT NULL,
	"report" jsonb NOT NULL,
	CONSTRAINT "billing_events_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "simulator_billing" (
	"project_id" text PRIMARY KEY NOT NULL,
	"world" jsonb NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_customers_owner" ON "billing_customers" USING btree ("project_id","owner_id");