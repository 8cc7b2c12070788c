CREATE INDEX `transfers_from` ON `transfers` (`from_subscriber_id`);--> statement-breakpoint
CREATE INDEX `transfers_to` ON `transfers` (`to_subscriber_id`);