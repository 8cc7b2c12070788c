DROP INDEX "refund_shield_due";--> statement-breakpoint
ALTER TABLE "refund_shield_responses" ADD COLUMN "notification_id" text NOT NULL;--> statement-breakpoint
ALTER TABLE "refund_shield_responses" ADD COLUMN "purchase_id" text;--> statement-breakpoint
ALTER TABLE "refund_shield_responses" ADD COLUMN "outcome_at" bigint;--> statement-breakpoint
ALTER TABLE "refund_shield_responses" ADD COLUMN "asked_at" bigint NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "refund_shield_request" ON "refund_shield_responses" USING btree ("project_id","notification_id");--> statement-breakpoint
CREATE INDEX "refund_shield_project" ON "refund_shield_responses" USING btree ("project_id","created_at");