CREATE TABLE `assistant_credentials` (
	`project_id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`base_url` text,
	`sealed_key` text,
	`key_last4` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `assistant_threads` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`user_id` text NOT NULL,
	`title` text,
	`marks` text NOT NULL,
	`turn_message_id` text,
	`turn_instance` text,
	`turn_started_at` integer,
	`created_at` integer NOT NULL,
	`last_message_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assistant_threads_author` ON `assistant_threads` (`project_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `assistant_threads_last` ON `assistant_threads` (`last_message_at`);--> statement-breakpoint
CREATE INDEX `assistant_threads_turn` ON `assistant_threads` (`turn_instance`) WHERE "assistant_threads"."turn_instance" is not null;--> statement-breakpoint
CREATE TABLE `assistant_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`thread_id` text NOT NULL,
	`role` text NOT NULL,
	`text` text NOT NULL,
	`status` text NOT NULL,
	`tools` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `assistant_messages_thread` ON `assistant_messages` (`thread_id`,`id`);--> statement-breakpoint
CREATE INDEX `assistant_messages_project` ON `assistant_messages` (`project_id`);--> statement-breakpoint
CREATE TABLE `assistant_usage` (
	`project_id` text NOT NULL,
	`month` text NOT NULL,
	`messages` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	PRIMARY KEY(`project_id`, `month`)
);
