DROP INDEX "billing_customers_owner";--> statement-breakpoint
ALTER TABLE "billing_customers" ADD COLUMN "gone_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "billing_customers_present" ON "billing_customers" USING btree ("project_id","owner_id") WHERE gone_at is null;