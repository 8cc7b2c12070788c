CREATE TABLE `assistant_intents` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`thread_id` text,
	`action` text NOT NULL,
	`route` text NOT NULL,
	`arguments` text NOT NULL,
	`summary` text NOT NULL,
	`preview` text NOT NULL,
	`base` text NOT NULL,
	`digest` text NOT NULL,
	`capability` text NOT NULL,
	`risk` text NOT NULL,
	`proposed_by` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`result` text,
	`replaced_by` text
);
--> statement-breakpoint
CREATE INDEX `assistant_intents_project` ON `assistant_intents` (`project_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `assistant_intents_created` ON `assistant_intents` (`created_at`);--> statement-breakpoint
ALTER TABLE `audit_log` ADD `via` text;