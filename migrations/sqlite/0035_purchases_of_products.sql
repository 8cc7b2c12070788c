DROP INDEX `purchases_product`;--> statement-breakpoint
CREATE INDEX `purchases_product` ON `purchases` (`product_id`) WHERE "purchases"."product_id" is not null;