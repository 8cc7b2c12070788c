ALTER TABLE `purchases` ADD `store_product_id` text;--> statement-breakpoint
-- Purchases that wait for their product. Lines that wait get the column from the job that links products.
UPDATE purchases SET store_product_id = fold ->> 'storeProductId' WHERE product_id IS NULL AND access_ids IS NULL;--> statement-breakpoint
CREATE INDEX `purchases_waiting` ON `purchases` (`project_id`,`store`,`store_product_id`,`id`) WHERE product_id is null and access_ids is null;--> statement-breakpoint
ALTER TABLE `transactions` ADD `store_product_id` text;--> statement-breakpoint
CREATE INDEX `transactions_waiting` ON `transactions` (`project_id`,`store`,`store_product_id`,`purchase_id`) WHERE product_id is null;