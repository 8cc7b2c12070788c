CREATE TABLE `chart_views` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`chart_id` text NOT NULL,
	`params` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chart_views_project` ON `chart_views` (`project_id`,`id`);--> statement-breakpoint
CREATE TABLE `chart_annotations` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`at` integer NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chart_annotations_time` ON `chart_annotations` (`project_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `analytics_changes` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`table_name` text NOT NULL,
	`row_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `analytics_tables` (
	`table_name` text PRIMARY KEY NOT NULL,
	`columns` text NOT NULL,
	`since` integer NOT NULL,
	`done_until` text,
	`copied` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `analytics_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`holder` text,
	`held_until` integer NOT NULL,
	`erased_at` integer
);
--> statement-breakpoint
CREATE TABLE `cohorts` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`definition` text NOT NULL,
	`list_id` text NOT NULL,
	`size` integer,
	`computed_at` integer,
	`took_ms` integer,
	`analysis` text,
	`analysed_at` integer,
	`analysis_took_ms` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cohorts_identifier` ON `cohorts` (`project_id`,`identifier`);--> statement-breakpoint
CREATE TABLE `cohort_members` (
	`list_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`started_at` integer NOT NULL,
	PRIMARY KEY(`list_id`, `subscriber_id`)
);
--> statement-breakpoint
CREATE TABLE `export_schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`target` text NOT NULL,
	`endpoint` text,
	`region` text,
	`is_trusted` integer NOT NULL,
	`sealed_credentials` text,
	`access_key_last4` text,
	`content` text NOT NULL,
	`format` text NOT NULL,
	`column_set` text NOT NULL,
	`daily_at` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `export_schedules_project` ON `export_schedules` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `export_schedules_due` ON `export_schedules` (`is_enabled`,`next_run_at`);--> statement-breakpoint
CREATE TABLE `export_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`schedule_id` text,
	`target` text NOT NULL,
	`content` text NOT NULL,
	`format` text NOT NULL,
	`column_set` text NOT NULL,
	`window_from` integer,
	`window_to` integer NOT NULL,
	`status` text NOT NULL,
	`progress` text NOT NULL,
	`row_count` integer NOT NULL,
	`byte_count` integer NOT NULL,
	`attempts` integer NOT NULL,
	`error` text,
	`owner` text,
	`seen_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `export_runs_project` ON `export_runs` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `export_runs_target` ON `export_runs` (`project_id`,`target`,`id`);--> statement-breakpoint
CREATE TABLE `figure_answers` (
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`position` integer NOT NULL,
	`moved` integer NOT NULL,
	`computed_at` integer NOT NULL,
	`answer` text NOT NULL,
	PRIMARY KEY(`project_id`, `name`, `start`, `end`)
);
--> statement-breakpoint
CREATE INDEX `figure_answers_computed` ON `figure_answers` (`computed_at`);--> statement-breakpoint
CREATE TABLE `figure_rolls` (
	`scope` text PRIMARY KEY NOT NULL,
	`rolled_until` integer,
	`turn` integer NOT NULL,
	`timezone` text NOT NULL,
	`basis` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `figure_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`environment` text NOT NULL,
	`dimension` text NOT NULL,
	`key` text NOT NULL,
	`store` text,
	`product` text,
	`country` text,
	`platform` text,
	`offering` text,
	`placement` text,
	`variant` text,
	`price` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `figure_groups_key` ON `figure_groups` (`project_id`,`key`);--> statement-breakpoint
CREATE INDEX `figure_groups_dimension` ON `figure_groups` (`project_id`,`environment`,`dimension`);--> statement-breakpoint
CREATE TABLE `figure_sums` (
	`group_id` integer NOT NULL,
	`level` integer NOT NULL,
	`start` integer NOT NULL,
	`kind` text NOT NULL,
	`gross` integer NOT NULL,
	`refunds` integer NOT NULL,
	`commission` integer NOT NULL,
	`charges` integer NOT NULL,
	`returned` integer NOT NULL,
	`unconverted` integer NOT NULL,
	`unconverted_charges` integer NOT NULL,
	`mrr_unconverted` integer NOT NULL,
	`mrr_new` integer NOT NULL,
	`mrr_reactivation` integer NOT NULL,
	`mrr_expansion` integer NOT NULL,
	`mrr_contraction` integer NOT NULL,
	`mrr_churn` integer NOT NULL,
	`paid_in` integer NOT NULL,
	`paid_again` integer NOT NULL,
	`paid_out` integer NOT NULL,
	`trial_in` integer NOT NULL,
	`trial_out` integer NOT NULL,
	`trial_starts` integer NOT NULL,
	`trial_converted` integer NOT NULL,
	`renewals` integer NOT NULL,
	`due` integer NOT NULL,
	`due_micros` integer NOT NULL,
	`active` integer NOT NULL,
	`paused` integer NOT NULL,
	`renewing` integer NOT NULL,
	`billing_in` integer NOT NULL,
	`billing_recovered` integer NOT NULL,
	`billing_lost` integer NOT NULL,
	`recovery_ms` integer NOT NULL,
	`grace_in` integer NOT NULL,
	`grace_recovered` integer NOT NULL,
	`grace_lost` integer NOT NULL,
	`end_voluntary` integer NOT NULL,
	`end_billing` integer NOT NULL,
	`end_price` integer NOT NULL,
	`end_unavailable` integer NOT NULL,
	`end_developer` integer NOT NULL,
	`end_replaced` integer NOT NULL,
	`end_unknown` integer NOT NULL,
	`end_refund` integer NOT NULL,
	`expired_out` integer NOT NULL,
	`refund_out` integer NOT NULL,
	`cancel_voluntary` integer NOT NULL,
	`cancel_billing` integer NOT NULL,
	`cancel_price` integer NOT NULL,
	`cancel_other` integer NOT NULL,
	`uncancelled` integer NOT NULL,
	`churn_voluntary` integer NOT NULL,
	`churn_billing` integer NOT NULL,
	`churn_refund` integer NOT NULL,
	PRIMARY KEY(`group_id`, `level`, `start`, `kind`)
);
--> statement-breakpoint
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
	`offering` text,
	`placement` text,
	`variant` text,
	`price` text,
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
	`trial_converted` integer NOT NULL,
	`renewals` integer NOT NULL,
	`due` integer NOT NULL,
	`due_micros` integer NOT NULL,
	`active` integer NOT NULL,
	`paused` integer NOT NULL,
	`renewing` integer NOT NULL,
	`billing_in` integer NOT NULL,
	`billing_recovered` integer NOT NULL,
	`billing_lost` integer NOT NULL,
	`recovery_ms` integer NOT NULL,
	`grace_in` integer NOT NULL,
	`grace_recovered` integer NOT NULL,
	`grace_lost` integer NOT NULL,
	`end_voluntary` integer NOT NULL,
	`end_billing` integer NOT NULL,
	`end_price` integer NOT NULL,
	`end_unavailable` integer NOT NULL,
	`end_developer` integer NOT NULL,
	`end_replaced` integer NOT NULL,
	`end_unknown` integer NOT NULL,
	`end_refund` integer NOT NULL,
	`expired_out` integer NOT NULL,
	`refund_out` integer NOT NULL,
	`cancel_voluntary` integer NOT NULL,
	`cancel_billing` integer NOT NULL,
	`cancel_price` integer NOT NULL,
	`cancel_other` integer NOT NULL,
	`uncancelled` integer NOT NULL,
	`churn_voluntary` integer NOT NULL,
	`churn_billing` integer NOT NULL,
	`churn_refund` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `figure_entries_purchase` ON `figure_entries` (`purchase_id`,`at`);--> statement-breakpoint
CREATE INDEX `figure_entries_time` ON `figure_entries` (`project_id`,`environment`,`at`,`position`);--> statement-breakpoint
CREATE INDEX `figure_entries_late` ON `figure_entries` (`project_id`,`environment`,`known_at`) WHERE known_at - at > 86400000;--> statement-breakpoint
CREATE INDEX `figure_entries_pending` ON `figure_entries` (`project_id`,`environment`,`pending_until`) WHERE "figure_entries"."pending_until" is not null;--> statement-breakpoint
CREATE TABLE `figure_projects` (
	`project_id` text PRIMARY KEY NOT NULL,
	`config_version` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`done_until` text
);
--> statement-breakpoint
CREATE TABLE `leaderboards` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`metric` text NOT NULL,
	`currency_id` text,
	`event_type` text,
	`window` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leaderboards_identifier` ON `leaderboards` (`project_id`,`identifier`);--> statement-breakpoint
CREATE TABLE `leaderboard_results` (
	`id` text PRIMARY KEY NOT NULL,
	`leaderboard_id` text NOT NULL,
	`environment` text NOT NULL,
	`computed_at` integer NOT NULL,
	`window_start` integer,
	`took_ms` integer NOT NULL,
	`size` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `leaderboard_results_newest` ON `leaderboard_results` (`leaderboard_id`,`environment`,`computed_at`);--> statement-breakpoint
CREATE TABLE `leaderboard_pages` (
	`result_id` text NOT NULL,
	`number` integer NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`result_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `project_firsts` (
	`project_id` text PRIMARY KEY NOT NULL,
	`call_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `saved_queries` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`sql` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `saved_queries_project` ON `saved_queries` (`project_id`,`id`);--> statement-breakpoint
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
CREATE TABLE `purchase_moves` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`from_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `purchase_moves_project` ON `purchase_moves` (`project_id`,`position`);--> statement-breakpoint
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
CREATE INDEX `ledger_project` ON `ledger` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `transactions_unconverted` ON `transactions` (`currency`,`project_id`) WHERE usd_micros is null and currency is not null;--> statement-breakpoint
CREATE INDEX `subscribers_created` ON `subscribers` (`project_id`,`created_at`);