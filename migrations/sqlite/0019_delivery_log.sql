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
CREATE INDEX `deliveries_trouble` ON `deliveries` (`project_id`,`kind`,`status`,`position`) WHERE status in ('FAILED', 'DEAD', 'DISMISSED', 'SKIPPED');