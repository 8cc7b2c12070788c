DROP INDEX `refund_shield_due`;--> statement-breakpoint
ALTER TABLE `refund_shield_responses` ADD `notification_id` text NOT NULL;--> statement-breakpoint
ALTER TABLE `refund_shield_responses` ADD `purchase_id` text;--> statement-breakpoint
ALTER TABLE `refund_shield_responses` ADD `outcome_at` integer;--> statement-breakpoint
ALTER TABLE `refund_shield_responses` ADD `asked_at` integer NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refund_shield_request` ON `refund_shield_responses` (`project_id`,`notification_id`);--> statement-breakpoint
CREATE INDEX `refund_shield_project` ON `refund_shield_responses` (`project_id`,`created_at`);