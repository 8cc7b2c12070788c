CREATE TABLE `billing_accounts` (
	`project_id` text PRIMARY KEY NOT NULL,
	`life` text NOT NULL,
	`lead_ms` integer NOT NULL,
	`details` text,
	`mailed_pause` integer,
	`first_mail_at` integer,
	`second_mail_at` integer,
	`closed_subscription` text,
	`card_needed_by` integer
);
--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customers_owner` ON `billing_customers` (`project_id`,`owner_id`);--> statement-breakpoint
CREATE TABLE `billing_events` (
	`project_id` text NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`rank` integer NOT NULL,
	`report` text NOT NULL,
	PRIMARY KEY(`project_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `simulator_billing` (
	`project_id` text PRIMARY KEY NOT NULL,
	`world` text NOT NULL
);
