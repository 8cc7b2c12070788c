CREATE INDEX "transfers_from" ON "transfers" USING btree ("from_subscriber_id");--> statement-breakpoint
CREATE INDEX "transfers_to" ON "transfers" USING btree ("to_subscriber_id");