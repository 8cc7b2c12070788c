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
CREATE INDEX `ledger_project` ON `ledger` (`project_id`,`id`);