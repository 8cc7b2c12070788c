CREATE TABLE `rate_conversions` (
	`id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`first_day` integer NOT NULL,
	`currencies` text NOT NULL,
	`state` text NOT NULL,
	`project_id` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`transaction_id` text NOT NULL,
	`checked` integer NOT NULL,
	`changed` integer NOT NULL,
	`tallies` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `rate_conversions_state` ON `rate_conversions` (`state`,`position`);--> statement-breakpoint
CREATE TABLE `exchange_rates` (
	`source` text NOT NULL,
	`day` integer NOT NULL,
	`rates` text NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`source`, `day`)
);
--> statement-breakpoint
CREATE INDEX `exchange_rates_revision` ON `exchange_rates` (`revision`);--> statement-breakpoint
CREATE TABLE `rate_updates` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`source` text NOT NULL,
	`at` integer NOT NULL,
	`added` integer NOT NULL,
	`corrected` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	`currencies` text NOT NULL,
	`corrections` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `rate_updates_id` ON `rate_updates` (`id`);--> statement-breakpoint
CREATE TABLE `rate_fetches` (
	`source` text PRIMARY KEY NOT NULL,
	`tried_at` integer NOT NULL,
	`succeeded_at` integer,
	`fault` text
);
--> statement-breakpoint
CREATE INDEX `transactions_unconverted` ON `transactions` (`currency`,`project_id`) WHERE usd_micros is null and currency is not null;