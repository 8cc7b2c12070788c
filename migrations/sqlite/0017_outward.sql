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
CREATE INDEX `client_events_subscriber` ON `client_events` (`subscriber_id`) WHERE "client_events"."subscriber_id" is not null;--> statement-breakpoint
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
CREATE INDEX `deliveries_trouble` ON `deliveries` (`project_id`,`kind`,`status`,`position`) WHERE status in ('FAILED', 'DEAD', 'DISMISSED', 'SKIPPED');--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `delivery_replays` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`types` text NOT NULL,
	`from` integer NOT NULL,
	`to` integer NOT NULL,
	`position` integer NOT NULL,
	`until` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `forward_bodies` (
	`store_event_id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`content_type` text,
	`body` text NOT NULL,
	`open` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`provider` text NOT NULL,
	`slot` text NOT NULL,
	`hint` text NOT NULL,
	`sealed_credentials` text NOT NULL,
	`enabled_events` text NOT NULL,
	`event_mapping` text NOT NULL,
	`include_sandbox` integer NOT NULL,
	`is_enabled` integer NOT NULL,
	`enabled_at` integer NOT NULL,
	`last_error` text,
	`last_success_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_provider` ON `integrations` (`project_id`,`provider`,`slot`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`event_types` text NOT NULL,
	`environments` text NOT NULL,
	`is_ordered` integer NOT NULL,
	`format` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`disabled_reason` text,
	`enabled_at` integer NOT NULL,
	`sealed_secret` text NOT NULL,
	`secret_last4` text NOT NULL,
	`sealed_previous` text,
	`previous_until` integer,
	`sealed_authorization` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_endpoints_name` ON `webhook_endpoints` (`project_id`,`name`);--> statement-breakpoint
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