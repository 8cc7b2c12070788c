CREATE TABLE `compare_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`vendor` text NOT NULL,
	`url` text,
	`is_trusted` integer NOT NULL,
	`sealed_key` text,
	`sample` integer,
	`threshold` text,
	`rate` real NOT NULL,
	`skip_sandbox` integer NOT NULL,
	`is_scheduled` integer NOT NULL,
	`last_id` text NOT NULL,
	`status` text NOT NULL,
	`progress` text NOT NULL,
	`counters` text NOT NULL,
	`kinds` text NOT NULL,
	`error` text,
	`owner` text,
	`seen_at` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `compare_runs_project` ON `compare_runs` (`project_id`,`id`);--> statement-breakpoint
CREATE TABLE `compare_findings` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`person` text NOT NULL,
	`kind` text NOT NULL,
	`identifier` text NOT NULL,
	`ours` text NOT NULL,
	`theirs` text NOT NULL,
	`rule` text,
	`reason` text NOT NULL,
	`purchase_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `compare_findings_run` ON `compare_findings` (`run_id`,`position`);--> statement-breakpoint
CREATE INDEX `compare_findings_purchase` ON `compare_findings` (`run_id`,`purchase_id`);--> statement-breakpoint
CREATE INDEX `compare_findings_subscriber` ON `compare_findings` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `compare_later` (
	`run_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`not_before` integer NOT NULL,
	PRIMARY KEY(`run_id`, `subscriber_id`)
);
--> statement-breakpoint
CREATE INDEX `compare_later_subscriber` ON `compare_later` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `compare_schedules` (
	`project_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`vendor` text NOT NULL,
	`url` text,
	`is_trusted` integer NOT NULL,
	`sealed_key` text NOT NULL,
	`key_last4` text NOT NULL,
	`sample` integer,
	`rate` real NOT NULL,
	`skip_sandbox` integer NOT NULL,
	`daily_at` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `compare_schedules_due` ON `compare_schedules` (`is_enabled`,`next_run_at`);--> statement-breakpoint
CREATE TABLE `data_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`requested_by` text NOT NULL,
	`artefact_key` text,
	`certificate` text,
	`error` text,
	`claimed_at` integer,
	`completed_at` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `data_requests_project` ON `data_requests` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `data_requests_subscriber` ON `data_requests` (`subscriber_id`,`type`);--> statement-breakpoint
CREATE INDEX `data_requests_status` ON `data_requests` (`status`,`updated_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`counts` text NOT NULL,
	`erased_at` integer NOT NULL,
	`cleaned_at` integer
);
--> statement-breakpoint
CREATE INDEX `erasures_open` ON `erasures` (`cleaned_at`);--> statement-breakpoint
CREATE TABLE `import_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`preset` text,
	`file_name` text NOT NULL,
	`files` text NOT NULL,
	`headers` text NOT NULL,
	`mapping` text,
	`options` text NOT NULL,
	`counters` text NOT NULL,
	`findings` text NOT NULL,
	`checkpoint` text,
	`error` text,
	`started_by` text NOT NULL,
	`owner` text,
	`seen_at` integer NOT NULL,
	`committed_at` integer,
	`finished_at` integer,
	`files_deleted_at` integer,
	`undone_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `import_jobs_project` ON `import_jobs` (`project_id`,`id`);--> statement-breakpoint
CREATE INDEX `import_jobs_status` ON `import_jobs` (`status`);--> statement-breakpoint
CREATE TABLE `import_subscribers` (
	`job_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`is_new` integer NOT NULL,
	`before` text,
	PRIMARY KEY(`job_id`, `subscriber_id`)
);
--> statement-breakpoint
CREATE TABLE `import_purchases` (
	`job_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`is_new` integer NOT NULL,
	`repeats` text NOT NULL,
	PRIMARY KEY(`job_id`, `purchase_id`)
);
--> statement-breakpoint
CREATE INDEX `import_purchases_purchase` ON `import_purchases` (`purchase_id`);--> statement-breakpoint
CREATE TABLE `import_anchors` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job_id` text NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`purchase_id` text,
	`store` text NOT NULL,
	`anchor_key` text NOT NULL,
	`proof` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `import_anchors_key` ON `import_anchors` (`job_id`,`anchor_key`);--> statement-breakpoint
CREATE INDEX `import_anchors_state` ON `import_anchors` (`job_id`,`state`,`position`);--> statement-breakpoint
CREATE TABLE `erased_keys` (
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`hash` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `kind`, `hash`)
);
--> statement-breakpoint
ALTER TABLE `audit_log` ADD `reduced_at` integer;