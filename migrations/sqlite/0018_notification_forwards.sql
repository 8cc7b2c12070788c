CREATE TABLE `forward_bodies` (
	`store_event_id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`content_type` text,
	`body` text NOT NULL,
	`open` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `notification_forwards` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`store` text NOT NULL,
	`url` text NOT NULL,
	`place` integer NOT NULL,
	`last_status` integer,
	`last_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_forwards_url` ON `notification_forwards` (`project_id`,`store`,`url`);--> statement-breakpoint
ALTER TABLE `store_events` ADD `posted_at` integer;