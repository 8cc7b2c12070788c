CREATE TABLE "lease_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_key" text NOT NULL,
	"created_at" bigint NOT NULL,
	"retired_at" bigint,
	"last_lease_ends_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_customers" (
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "payment_customers_project_id_subscriber_id_pk" PRIMARY KEY("project_id","subscriber_id")
);
--> statement-breakpoint
CREATE TABLE "refund_shield_responses" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text,
	"transaction_id" text NOT NULL,
	"status" text NOT NULL,
	"outcome" text,
	"attempts" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"deadline_at" bigint NOT NULL,
	"sent_at" bigint,
	"error" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scheduled_actions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"action" text NOT NULL,
	"revoke_immediately" boolean NOT NULL,
	"status" text NOT NULL,
	"due_at" bigint NOT NULL,
	"error" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_events" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"store" text NOT NULL,
	"notification_id" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"body" text NOT NULL,
	"leased_by" text,
	"leased_until" bigint,
	"attempts" bigint NOT NULL,
	"error" text,
	"event_at" bigint,
	"received_at" bigint NOT NULL,
	"processed_at" bigint
);
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_customers_customer" ON "payment_customers" USING btree ("project_id","customer_id");--> statement-breakpoint
CREATE INDEX "refund_shield_transaction" ON "refund_shield_responses" USING btree ("project_id","transaction_id");--> statement-breakpoint
CREATE INDEX "refund_shield_due" ON "refund_shield_responses" USING btree ("status","due_at");--> statement-breakpoint
CREATE INDEX "scheduled_actions_purchase" ON "scheduled_actions" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "scheduled_actions_due" ON "scheduled_actions" USING btree ("status","due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "store_events_notification" ON "store_events" USING btree ("project_id","store","notification_id");--> statement-breakpoint
CREATE INDEX "store_events_received" ON "store_events" USING btree ("project_id","received_at");--> statement-breakpoint
CREATE INDEX "store_events_status" ON "store_events" USING btree ("status","received_at");