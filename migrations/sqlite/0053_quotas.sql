CREATE TABLE `assistant_reservations` (
	`message_id` text NOT NULL,
	`month` text NOT NULL,
	`project_id` text NOT NULL,
	`instance` text NOT NULL,
	`messages` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`used_input_tokens` integer NOT NULL,
	`used_output_tokens` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`message_id`, `month`)
);
--> statement-breakpoint
CREATE INDEX `assistant_reservations_month` ON `assistant_reservations` (`project_id`,`month`);--> statement-breakpoint
ALTER TABLE `assistant_threads` ADD `turn_stopped_at` integer;