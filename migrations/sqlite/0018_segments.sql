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
