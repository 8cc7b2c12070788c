CREATE TABLE `former_sdk_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`last4` text NOT NULL,
	`platform` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `former_sdk_keys_hash` ON `former_sdk_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `former_sdk_keys_project` ON `former_sdk_keys` (`project_id`);--> statement-breakpoint
CREATE TABLE `former_sdk_tokens` (
	`project_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `token_hash`)
);
--> statement-breakpoint
CREATE TABLE `former_sdk_calls` (
	`project_id` text NOT NULL,
	`day` integer NOT NULL,
	`platform` text NOT NULL,
	`flavor` text NOT NULL,
	`version` text NOT NULL,
	`call` text NOT NULL,
	`outcome` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`project_id`, `day`, `platform`, `flavor`, `version`, `call`, `outcome`)
);
