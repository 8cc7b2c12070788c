CREATE TABLE `figure_entries` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`environment` text NOT NULL,
	`purchase_id` text NOT NULL,
	`transaction_id` text,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL,
	`known_at` integer NOT NULL,
	`store` text NOT NULL,
	`store_product_id` text NOT NULL,
	`product` text NOT NULL,
	`country` text,
	`platform` text,
	`pending_until` integer,
	`gross` integer NOT NULL,
	`refunds` integer NOT NULL,
	`commission` integer NOT NULL,
	`charges` integer NOT NULL,
	`returned` integer NOT NULL,
	`unconverted` integer NOT NULL,
	`unconverted_charges` integer NOT NULL,
	`mrr_new` integer NOT NULL,
	`mrr_reactivation` integer NOT NULL,
	`mrr_expansion` integer NOT NULL,
	`mrr_contraction` integer NOT NULL,
	`mrr_churn` integer NOT NULL,
	`mrr_unconverted` integer NOT NULL,
	`paid_in` integer NOT NULL,
	`paid_again` integer NOT NULL,
	`paid_out` integer NOT NULL,
	`trial_in` integer NOT NULL,
	`trial_out` integer NOT NULL,
	`trial_starts` integer NOT NULL,
	`trial_converted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `figure_entries_purchase` ON `figure_entries` (`purchase_id`,`at`);--> statement-breakpoint
CREATE INDEX `figure_entries_time` ON `figure_entries` (`project_id`,`environment`,`at`,`position`);--> statement-breakpoint
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