DROP INDEX `billing_customers_owner`;--> statement-breakpoint
ALTER TABLE `billing_customers` ADD `gone_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customers_present` ON `billing_customers` (`project_id`,`owner_id`) WHERE gone_at is null;