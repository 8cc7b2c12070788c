CREATE TABLE `deliveries` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`event_id` text,
	`event_position` integer,
	`type` text NOT NULL,
	`seq` integer,
	`subscriber_id` text,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`open_order` integer,
	`lease_id` text,
	`last_status_code` integer,
	`last_error` text,
	`skip_reason` text,
	`is_test` integer NOT NULL,
	`payload` text,
	`log` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`target_id`,`due_at`);--> statement-breakpoint
CREATE INDEX `deliveries_order` ON `deliveries` (`target_id`,`subscriber_id`,`open_order`);--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`project_id`,`open_order`);--> statement-breakpoint
CREATE INDEX `deliveries_list` ON `deliveries` (`project_id`,`kind`,`position`);--> statement-breakpoint
CREATE INDEX `deliveries_target` ON `deliveries` (`target_id`,`position`);--> statement-breakpoint
CREATE INDEX `deliveries_subscriber` ON `deliveries` (`subscriber_id`,`position`);--> statement-breakpoint
CREATE TABLE `delivery_targets` (
	`target_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`project_id` text NOT NULL,
	`is_ordered` integer NOT NULL,
	`health` text NOT NULL,
	`due_at` integer,
	`dead_count` integer NOT NULL,
	`last_success_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `delivery_targets_due` ON `delivery_targets` (`health`,`due_at`);--> statement-breakpoint
CREATE INDEX `delivery_targets_project` ON `delivery_targets` (`project_id`);--> statement-breakpoint
CREATE TABLE `delivery_cursors` (
	`project_id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `delivery_hours` (
	`target_id` text NOT NULL,
	`hour_at` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	PRIMARY KEY(`target_id`, `hour_at`)
);
