DROP INDEX "transactions_time";--> statement-breakpoint
DROP INDEX "transfers_project";--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "original_transaction_id" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "transactions" ALTER COLUMN "revenue_key" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "subscribers" ALTER COLUMN "device_key" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "subscribers" ALTER COLUMN "app_user_id" SET DATA TYPE text collate "C";--> statement-breakpoint
CREATE INDEX "purchases_status" ON "purchases" USING btree ("project_id","status","id");--> statement-breakpoint
CREATE INDEX "subscribers_newest" ON "subscribers" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "subscribers_email" ON "subscribers" USING btree ("project_id",lower(("attributes" -> '$email' ->> 'value') collate "C"),"id") WHERE lower(("subscribers"."attributes" -> '$email' ->> 'value') collate "C") is not null;--> statement-breakpoint
CREATE INDEX "transactions_time" ON "transactions" USING btree ("project_id","occurred_at","id");--> statement-breakpoint
CREATE INDEX "transfers_project" ON "transfers" USING btree ("project_id","created_at","id");