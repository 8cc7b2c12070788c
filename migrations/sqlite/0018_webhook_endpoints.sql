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
CREATE UNIQUE INDEX `webhook_endpoints_name` ON `webhook_endpoints` (`project_id`,`name`);