CREATE TABLE `audiences` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`rules` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audiences_name` ON `audiences` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`key` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`audience_id` text,
	`variants` text NOT NULL,
	`metrics` text NOT NULL,
	`mutual_exclusion_group` text,
	`placement_id` text,
	`scheduled_start_at` integer,
	`scheduled_stop_at` integer,
	`started_at` integer,
	`completed_at` integer,
	`winner_variant_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `experiments_key` ON `experiments` (`project_id`,`key`);--> statement-breakpoint
CREATE TABLE `flags` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`key` text NOT NULL,
	`env` text NOT NULL,
	`type` text NOT NULL,
	`description` text,
	`is_enabled` integer NOT NULL,
	`default_value` text NOT NULL,
	`rules` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `flags_key` ON `flags` (`project_id`,`key`,`env`);