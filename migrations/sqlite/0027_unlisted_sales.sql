CREATE TABLE `unlisted_sales` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`store` text NOT NULL,
	`environment` text NOT NULL,
	`chain_key` text NOT NULL,
	`line_key` text NOT NULL,
	`former_line_keys` text,
	`charge_scope` text NOT NULL,
	`store_product_id` text NOT NULL,
	`fold` text NOT NULL,
	`customer_id` text,
	`buyer_id` text,
	`device_key` text,
	`presented_context` text,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `unlisted_sales_chain` ON `unlisted_sales` (`project_id`,`store`,`chain_key`,`line_key`);--> statement-breakpoint
CREATE INDEX `unlisted_sales_product` ON `unlisted_sales` (`project_id`,`store`,`store_product_id`,`id`);--> statement-breakpoint
CREATE INDEX `unlisted_sales_project` ON `unlisted_sales` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `unlisted_sales_customer` ON `unlisted_sales` (`project_id`,`customer_id`) WHERE "unlisted_sales"."customer_id" is not null;--> statement-breakpoint
CREATE INDEX `unlisted_sales_buyer` ON `unlisted_sales` (`project_id`,`buyer_id`) WHERE "unlisted_sales"."buyer_id" is not null;--> statement-breakpoint
CREATE INDEX `unlisted_sales_device` ON `unlisted_sales` (`project_id`,`device_key`) WHERE "unlisted_sales"."device_key" is not null;