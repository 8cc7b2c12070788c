CREATE TABLE `credential_locks` (
	`project_id` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`action` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pubsub_setups` (
	`project_id` text PRIMARY KEY NOT NULL,
	`setup` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
