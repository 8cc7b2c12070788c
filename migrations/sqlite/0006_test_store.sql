CREATE TABLE `simulator_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`seq` integer NOT NULL,
	`device_key` text NOT NULL,
	`type` text NOT NULL,
	`message` text NOT NULL,
	`deliver_at` integer NOT NULL,
	`taken_by` text,
	`taken_until` integer NOT NULL,
	`attempts` integer NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `simulator_messages_project` ON `simulator_messages` (`project_id`,`seq`);--> statement-breakpoint
CREATE TABLE `simulator_stores` (
	`project_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
