DROP INDEX `purchases_waiting`;--> statement-breakpoint
CREATE INDEX `purchases_waiting` ON `purchases` (`project_id`,`store`,`store_product_id`,`id`,`subscriber_id`,`created_at`) WHERE product_id is null and access_ids is null;--> statement-breakpoint
DROP INDEX `transactions_waiting`;--> statement-breakpoint
CREATE INDEX `transactions_waiting` ON `transactions` (`project_id`,`store`,`store_product_id`,`purchase_id`,`subscriber_id`,`environment`,`usd_micros`,`created_at`) WHERE product_id is null;