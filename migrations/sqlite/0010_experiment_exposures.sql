CREATE TABLE `experiment_pauses` (
	`experiment_id` text NOT NULL,
	`paused_at` integer NOT NULL,
	`resumed_at` integer,
	PRIMARY KEY(`experiment_id`, `paused_at`)
);
--> statement-breakpoint
CREATE TABLE `experiment_events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`type` text NOT NULL,
	`experiment_key` text,
	`occurred_at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`metadata` text
);
--> statement-breakpoint
CREATE INDEX `experiment_events_subscriber` ON `experiment_events` (`subscriber_id`,`occurred_at`);--> statement-breakpoint
CREATE INDEX `experiment_events_recorded` ON `experiment_events` (`recorded_at`);--> statement-breakpoint
ALTER TABLE `experiment_assignments` ADD `placement_id` text;--> statement-breakpoint
ALTER TABLE `experiment_assignments` ADD `platform` text;--> statement-breakpoint
ALTER TABLE `experiment_assignments` ADD `country` text;--> statement-breakpoint
ALTER TABLE `experiment_assignments` ADD `crossed_at` integer;--> statement-breakpoint
CREATE INDEX `assignments_exposed` ON `experiment_assignments` (`experiment_id`,`variant_id`,`subscriber_id`,`exposed_at`,`converted_at`,`crossed_at`) WHERE "experiment_assignments"."exposed_at" is not null;--> statement-breakpoint
ALTER TABLE `subscribers` ADD `holdout_bucket` integer;--> statement-breakpoint
CREATE INDEX `subscribers_holdout` ON `subscribers` (`project_id`,`holdout_bucket`);--> statement-breakpoint
CREATE INDEX `subscribers_unbucketed` ON `subscribers` (`holdout_bucket`) WHERE "subscribers"."holdout_bucket" is null;--> statement-breakpoint
CREATE INDEX `transactions_time` ON `transactions` (`project_id`,`occurred_at`);