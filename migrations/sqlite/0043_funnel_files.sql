CREATE TABLE `unsettled_files` (
	`folder` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unsettled_files_created` ON `unsettled_files` (`created_at`);--> statement-breakpoint
CREATE TABLE `assets` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`content_type` text NOT NULL,
	`hash` text NOT NULL,
	`bytes` integer NOT NULL,
	`stored_bytes` integer NOT NULL,
	`width` integer,
	`height` integer,
	`widths` text NOT NULL,
	`alt` text NOT NULL,
	`source` text NOT NULL,
	`uploaded_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assets_project` ON `assets` (`project_id`,`id`);--> statement-breakpoint
CREATE TABLE `font_families` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `font_families_name` ON `font_families` (`project_id`,`name`);--> statement-breakpoint
CREATE TABLE `font_faces` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`family_id` text NOT NULL,
	`weight` integer NOT NULL,
	`style` text NOT NULL,
	`format` text NOT NULL,
	`content_hash` text NOT NULL,
	`bytes` integer NOT NULL,
	`woff2_bytes` integer NOT NULL,
	`latin_bytes` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `font_faces_look` ON `font_faces` (`family_id`,`weight`,`style`);--> statement-breakpoint
CREATE INDEX `font_faces_project` ON `font_faces` (`project_id`);--> statement-breakpoint
ALTER TABLE `projects` ADD `logo_asset_id` text;