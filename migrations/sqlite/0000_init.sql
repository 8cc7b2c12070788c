CREATE TABLE `access` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_identifier` ON `access` (`project_id`,`identifier`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`label` text NOT NULL,
	`kind` text NOT NULL,
	`public_key` text,
	`secret_hash` text,
	`secret_last4` text,
	`previous_hash` text,
	`previous_until` integer,
	`environment` text NOT NULL,
	`allowed_origins` text,
	`rate_per_minute` integer,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_public` ON `api_keys` (`public_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_secret` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_previous` ON `api_keys` (`previous_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_project` ON `api_keys` (`project_id`);--> statement-breakpoint
CREATE TABLE `experiment_assignments` (
	`experiment_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`project_id` text NOT NULL,
	`variant_id` text NOT NULL,
	`hash_version` integer NOT NULL,
	`assigned_at` integer NOT NULL,
	`exposed_at` integer,
	`converted_at` integer,
	PRIMARY KEY(`experiment_id`, `subscriber_id`)
);
--> statement-breakpoint
CREATE INDEX `assignments_subscriber` ON `experiment_assignments` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`before` text,
	`after` text,
	`prev_hash` text NOT NULL,
	`row_hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_id` ON `audit_log` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_log_chain` ON `audit_log` (`project_id`,`prev_hash`);--> statement-breakpoint
CREATE TABLE `balances` (
	`subscriber_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`balance` integer NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`subscriber_id`, `currency_id`)
);
--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`last_run_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `currency_grants` (
	`project_id` text NOT NULL,
	`product_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`amount` integer NOT NULL,
	`grant_on` text NOT NULL,
	PRIMARY KEY(`product_id`, `currency_id`, `grant_on`)
);
--> statement-breakpoint
CREATE INDEX `grants_project` ON `currency_grants` (`project_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text,
	`seq` integer,
	`type` text NOT NULL,
	`app_user_id` text,
	`environment` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`cause` text NOT NULL,
	`before` text,
	`after` text,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_seq` ON `events` (`subscriber_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_feed` ON `events` (`project_id`,`position`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`scope` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`body_hash` text NOT NULL,
	`claimed_by` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`status` integer,
	`content_type` text,
	`body` text,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency_keys` (`claimed_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`payload` text NOT NULL,
	`dedupe_key` text,
	`state` text NOT NULL,
	`run_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`max_attempts` integer NOT NULL,
	`leased_by` text,
	`leased_until` integer,
	`is_wanted_again` integer DEFAULT false NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_dedupe` ON `jobs` (`name`,`dedupe_key`) WHERE state <> 'DEAD';--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`state`,`run_at`);--> statement-breakpoint
CREATE TABLE `ledger` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`number` integer NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`balance` integer NOT NULL,
	`idempotency_key` text,
	`grant_reference` text,
	`reference_type` text,
	`reference_id` text,
	`description` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_number` ON `ledger` (`subscriber_id`,`currency_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_grant` ON `ledger` (`project_id`,`currency_id`,`grant_reference`);--> statement-breakpoint
CREATE INDEX `ledger_idempotency` ON `ledger` (`project_id`,`currency_id`,`idempotency_key`,`subscriber_id`) WHERE "ledger"."idempotency_key" is not null;--> statement-breakpoint
CREATE TABLE `purchase_observations` (
	`purchase_id` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`event_at` integer NOT NULL,
	`payload` text NOT NULL,
	`cause` text NOT NULL,
	`recorded_at` integer NOT NULL,
	PRIMARY KEY(`purchase_id`, `kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `offerings` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`is_default` integer NOT NULL,
	`packages` text NOT NULL,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `offerings_identifier` ON `offerings` (`project_id`,`identifier`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`type` text NOT NULL,
	`display_name` text NOT NULL,
	`ios_id` text,
	`android_id` text,
	`payment_id` text,
	`android_base_plan_id` text,
	`android_offer_id` text,
	`period` text,
	`access_ids` text NOT NULL,
	`is_active` integer NOT NULL,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_identifier` ON `products` (`project_id`,`identifier`);--> statement-breakpoint
CREATE UNIQUE INDEX `products_ios` ON `products` (`project_id`,`ios_id`);--> statement-breakpoint
CREATE INDEX `products_android` ON `products` (`project_id`,`android_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `products_payment` ON `products` (`project_id`,`payment_id`);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`allowed_origins` text NOT NULL,
	`terms_url` text,
	`privacy_url` text,
	`settings` text NOT NULL,
	`config_version` integer NOT NULL,
	`suspended_at` integer,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_slug` ON `projects` (`slug`);--> statement-breakpoint
CREATE INDEX `projects_config_version` ON `projects` (`config_version`);--> statement-breakpoint
CREATE TABLE `purchases` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`store` text NOT NULL,
	`environment` text NOT NULL,
	`chain_key` text NOT NULL,
	`product_id` text,
	`original_transaction_id` text NOT NULL,
	`access_ids` text,
	`account_token` text,
	`status` text NOT NULL,
	`fold` text NOT NULL,
	`effective_end` integer,
	`sweep_at` integer,
	`presented_context` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_chain` ON `purchases` (`project_id`,`store`,`chain_key`);--> statement-breakpoint
CREATE INDEX `purchases_subscriber` ON `purchases` (`subscriber_id`);--> statement-breakpoint
CREATE INDEX `purchases_sweep` ON `purchases` (`sweep_at`) WHERE "purchases"."sweep_at" is not null;--> statement-breakpoint
CREATE INDEX `purchases_product` ON `purchases` (`product_id`);--> statement-breakpoint
CREATE INDEX `purchases_original` ON `purchases` (`project_id`,`store`,`original_transaction_id`);--> statement-breakpoint
CREATE INDEX `purchases_account` ON `purchases` (`project_id`,`account_token`) WHERE "purchases"."account_token" is not null;--> statement-breakpoint
CREATE TABLE `revisions` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `simulator_chains` (
	`project_id` text NOT NULL,
	`original_transaction_id` text NOT NULL,
	`device_key` text NOT NULL,
	`payload` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `original_transaction_id`)
);
--> statement-breakpoint
CREATE TABLE `simulator_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`material` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `store_settings` (
	`project_id` text NOT NULL,
	`section` text NOT NULL,
	`config` text NOT NULL,
	`sealed` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `section`)
);
--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`device_key` text NOT NULL,
	`app_user_id` text,
	`attributes` text NOT NULL,
	`seq` integer NOT NULL,
	`told_access` text NOT NULL,
	`is_synthetic` integer NOT NULL,
	`merged_into` text,
	`erased_at` integer,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_device` ON `subscribers` (`project_id`,`device_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_label` ON `subscribers` (`project_id`,`app_user_id`);--> statement-breakpoint
CREATE INDEX `subscribers_merged` ON `subscribers` (`merged_into`) WHERE "subscribers"."merged_into" is not null;--> statement-breakpoint
CREATE TABLE `transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`purchase_id` text NOT NULL,
	`subscriber_id` text NOT NULL,
	`store` text NOT NULL,
	`environment` text NOT NULL,
	`revenue_key` text NOT NULL,
	`store_transaction_id` text NOT NULL,
	`kind` text NOT NULL,
	`product_id` text,
	`amount_micros` integer,
	`currency` text,
	`usd_micros` integer,
	`quantity` integer NOT NULL,
	`renewal_number` integer NOT NULL,
	`occurred_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_revenue` ON `transactions` (`project_id`,`revenue_key`);--> statement-breakpoint
CREATE INDEX `transactions_purchase` ON `transactions` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `transactions_subscriber` ON `transactions` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`cause` text NOT NULL,
	`from_subscriber_id` text NOT NULL,
	`to_subscriber_id` text NOT NULL,
	`moved` text NOT NULL,
	`undone_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `transfers_project` ON `transfers` (`project_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `virtual_currencies` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`clawback` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `virtual_currencies_code` ON `virtual_currencies` (`project_id`,`code`);