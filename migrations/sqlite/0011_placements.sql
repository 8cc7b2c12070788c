CREATE TABLE `funnel_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`funnel_id` text NOT NULL,
	`version_no` integer NOT NULL,
	`document` text NOT NULL,
	`published_at` integer NOT NULL,
	`published_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `funnel_versions_no` ON `funnel_versions` (`funnel_id`,`version_no`);--> statement-breakpoint
CREATE INDEX `funnel_versions_project` ON `funnel_versions` (`project_id`);--> statement-breakpoint
CREATE TABLE `funnels` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`draft` text NOT NULL,
	`current_version_no` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `funnels_slug` ON `funnels` (`project_id`,`slug`);--> statement-breakpoint
CREATE TABLE `placements` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`name` text NOT NULL,
	`rows` text NOT NULL,
	`is_active` integer NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `placements_identifier` ON `placements` (`project_id`,`identifier`);