DROP INDEX `transactions_time`;--> statement-breakpoint
CREATE INDEX `transactions_time` ON `transactions` (`project_id`,`occurred_at`,`id`);--> statement-breakpoint
DROP INDEX `transfers_project`;--> statement-breakpoint
CREATE INDEX `transfers_project` ON `transfers` (`project_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `purchases_status` ON `purchases` (`project_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `subscribers_newest` ON `subscribers` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscribers_email` ON `subscribers` (`project_id`,lower("attributes" ->> '$."$email".value'),`id`) WHERE lower("subscribers"."attributes" ->> '$."$email".value') is not null;