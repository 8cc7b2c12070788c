CREATE TABLE `purchase_aliases` (
	`project_id` text NOT NULL,
	`store` text NOT NULL,
	`alias` text NOT NULL,
	`purchase_id` text NOT NULL,
	PRIMARY KEY(`project_id`, `store`, `alias`)
);
--> statement-breakpoint
CREATE INDEX `purchase_aliases_purchase` ON `purchase_aliases` (`purchase_id`);