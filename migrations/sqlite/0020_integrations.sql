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
CREATE UNIQUE INDEX `integrations_provider` ON `integrations` (`project_id`,`provider`,`slot`);