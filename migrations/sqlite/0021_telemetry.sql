CREATE TABLE `session_packs` (
	`key` integer PRIMARY KEY NOT NULL,
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`opens` integer NOT NULL,
	`timed` integer NOT NULL,
	`play_ms` integer NOT NULL,
	`events` text NOT NULL,
	`versions` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `session_packs_day` ON `session_packs` (`project`,`day`);--> statement-breakpoint
CREATE TABLE `session_projects` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_projects_id` ON `session_projects` (`project_id`);--> statement-breakpoint
CREATE TABLE `session_subjects` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscriber_id` text NOT NULL,
	`project_id` text NOT NULL,
	`opens` integer NOT NULL,
	`play_ms` integer NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_subjects_subscriber` ON `session_subjects` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `client_events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text,
	`event_id` text,
	`type` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`product_id` text,
	`amount` text,
	`currency` text,
	`event_source_url` text,
	`signals` text
);
--> statement-breakpoint
CREATE INDEX `client_events_recorded` ON `client_events` (`project_id`,`recorded_at`);--> statement-breakpoint
CREATE INDEX `client_events_id` ON `client_events` (`project_id`,`event_id`,`recorded_at`) WHERE "client_events"."event_id" is not null;--> statement-breakpoint
CREATE INDEX `client_events_subscriber` ON `client_events` (`subscriber_id`) WHERE "client_events"."subscriber_id" is not null;