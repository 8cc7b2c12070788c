DROP INDEX "purchases_product";--> statement-breakpoint
CREATE INDEX "purchases_product" ON "purchases" USING btree ("product_id") WHERE "purchases"."product_id" is not null;