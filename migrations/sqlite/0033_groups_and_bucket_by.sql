CREATE TABLE `audience_members` (
	`audience_id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`size` integer NOT NULL,
	`hashes` text NOT NULL,
	`keyed_by` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audience_members_project` ON `audience_members` (`project_id`);--> statement-breakpoint
ALTER TABLE `experiments` ADD `bucket_by` text;