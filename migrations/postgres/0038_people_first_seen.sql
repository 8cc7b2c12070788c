DROP INDEX "subscribers_created";--> statement-breakpoint
CREATE INDEX "subscribers_first_seen" ON "subscribers" USING btree ("project_id","first_seen_at");