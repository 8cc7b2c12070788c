CREATE TABLE `funnel_tokens` (
	`session_id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`sealed` text,
	`proof` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`claimed_at` integer,
	`claimed_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `funnel_tokens_hash` ON `funnel_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `funnel_tokens_project` ON `funnel_tokens` (`project_id`);--> statement-breakpoint
CREATE TABLE `funnel_moves` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`session_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`moved_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `funnel_moves_purchase` ON `funnel_moves` (`purchase_id`,`moved_at`);--> statement-breakpoint
CREATE INDEX `funnel_moves_project` ON `funnel_moves` (`project_id`);--> statement-breakpoint
CREATE TABLE `funnel_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`purpose` text NOT NULL,
	`session_id` text,
	`email_hash` text NOT NULL,
	`mail_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `funnel_links_email` ON `funnel_links` (`project_id`,`email_hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `funnel_links_mail` ON `funnel_links` (`mail_id`);--> statement-breakpoint
CREATE INDEX `funnel_links_end` ON `funnel_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `funnel_openings` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`session_id` text,
	`address_hash` text NOT NULL,
	`language` text,
	`install_id` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `funnel_openings_address` ON `funnel_openings` (`project_id`,`address_hash`,`at`);--> statement-breakpoint
CREATE INDEX `funnel_openings_at` ON `funnel_openings` (`at`);--> statement-breakpoint
CREATE TABLE `app_links` (
	`project_id` text PRIMARY KEY NOT NULL,
	`links` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `funnel_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`session_id` text NOT NULL,
	`page_id` text NOT NULL,
	`provider` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`unsettled` text,
	`package_identifier` text NOT NULL,
	`product_id` text NOT NULL,
	`amount_micros` integer NOT NULL,
	`currency` text NOT NULL,
	`price_micros` integer NOT NULL,
	`discount_id` text,
	`client_secret` text,
	`objects` text NOT NULL,
	`reference` text NOT NULL,
	`email` text,
	`email_hash` text,
	`fence` integer NOT NULL,
	`purchase_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`paid_at` integer,
	`refunded_at` integer
);
--> statement-breakpoint
CREATE INDEX `funnel_payments_session` ON `funnel_payments` (`session_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `funnel_payments_reference` ON `funnel_payments` (`project_id`,`provider`,`reference`);--> statement-breakpoint
CREATE INDEX `funnel_payments_email` ON `funnel_payments` (`project_id`,`email_hash`);--> statement-breakpoint
CREATE INDEX `funnel_payments_purchase` ON `funnel_payments` (`purchase_id`);--> statement-breakpoint
CREATE TABLE `funnel_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`funnel_id` text NOT NULL,
	`version_no` integer NOT NULL,
	`state` text NOT NULL,
	`path` text NOT NULL,
	`locale` text NOT NULL,
	`secret_hash` text NOT NULL,
	`query` text NOT NULL,
	`utm` text NOT NULL,
	`referrer` text,
	`country` text,
	`device` text NOT NULL,
	`visitor_id` text,
	`placement` text,
	`experiment_id` text,
	`variant_id` text,
	`subscriber_id` text,
	`started_at` integer NOT NULL,
	`active_at` integer NOT NULL,
	`paid_at` integer,
	`completed_at` integer,
	`lease_fence` integer NOT NULL,
	`lease_holder` text,
	`lease_until` integer
);
--> statement-breakpoint
CREATE INDEX `funnel_sessions_funnel` ON `funnel_sessions` (`funnel_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `funnel_sessions_project` ON `funnel_sessions` (`project_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `funnel_sessions_idle` ON `funnel_sessions` (`state`,`active_at`);--> statement-breakpoint
CREATE INDEX `funnel_sessions_subscriber` ON `funnel_sessions` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `funnel_sessions_lease` ON `funnel_sessions` (`lease_until`);--> statement-breakpoint
CREATE TABLE `funnel_answers` (
	`session_id` text NOT NULL,
	`field_id` text NOT NULL,
	`project_id` text NOT NULL,
	`page_id` text NOT NULL,
	`value` text NOT NULL,
	`is_sealed` integer NOT NULL,
	`answered_at` integer NOT NULL,
	PRIMARY KEY(`session_id`, `field_id`)
);
--> statement-breakpoint
CREATE INDEX `funnel_answers_project` ON `funnel_answers` (`project_id`);--> statement-breakpoint
CREATE TABLE `funnel_steps` (
	`session_id` text NOT NULL,
	`page_id` text NOT NULL,
	`project_id` text NOT NULL,
	`viewed_at` integer NOT NULL,
	`advanced_at` integer,
	PRIMARY KEY(`session_id`, `page_id`)
);
--> statement-breakpoint
CREATE INDEX `funnel_steps_project` ON `funnel_steps` (`project_id`);--> statement-breakpoint
ALTER TABLE `products` ADD `price` text;