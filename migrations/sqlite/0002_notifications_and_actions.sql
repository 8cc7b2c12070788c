CREATE TABLE `lease_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`private_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	`last_lease_ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_customers` (
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `subscriber_id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_customers_customer` ON `payment_customers` (`project_id`,`customer_id`);--> statement-breakpoint
CREATE TABLE `refund_shield_responses` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text,
	`transaction_id` text NOT NULL,
	`status` text NOT NULL,
	`outcome` text,
	`attempts` integer NOT NULL,
	`due_at` integer NOT NULL,
	`deadline_at` integer NOT NULL,
	`sent_at` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `refund_shield_transaction` ON `refund_shield_responses` (`project_id`,`transaction_id`);--> statement-breakpoint
CREATE INDEX `refund_shield_due` ON `refund_shield_responses` (`status`,`due_at`);--> statement-breakpoint
CREATE TABLE `scheduled_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`action` text NOT NULL,
	`revoke_immediately` integer NOT NULL,
	`status` text NOT NULL,
	`due_at` integer NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `scheduled_actions_purchase` ON `scheduled_actions` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `scheduled_actions_due` ON `scheduled_actions` (`status`,`due_at`);--> statement-breakpoint
CREATE TABLE `store_events` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`store` text NOT NULL,
	`notification_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`body` text NOT NULL,
	`leased_by` text,
	`leased_until` integer,
	`attempts` integer NOT NULL,
	`error` text,
	`event_at` integer,
	`received_at` integer NOT NULL,
	`processed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `store_events_notification` ON `store_events` (`project_id`,`store`,`notification_id`);--> statement-breakpoint
CREATE INDEX `store_events_received` ON `store_events` (`project_id`,`received_at`);--> statement-breakpoint
CREATE INDEX `store_events_status` ON `store_events` (`status`,`received_at`);