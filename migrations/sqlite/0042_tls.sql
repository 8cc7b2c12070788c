CREATE TABLE `tls_accounts` (
	`directory` text PRIMARY KEY NOT NULL,
	`account_url` text,
	`sealed` text NOT NULL,
	`terms_url` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tls_names` (
	`name` text PRIMARY KEY NOT NULL,
	`project_id` text,
	`is_wanted` integer NOT NULL,
	`status` text NOT NULL,
	`failures` integer NOT NULL,
	`next_attempt_at` integer,
	`error_code` text,
	`error_detail` text,
	`healthy_since` integer,
	`alerted` integer NOT NULL,
	`renewal_checked_at` integer,
	`renew_at` integer
);
--> statement-breakpoint
CREATE TABLE `tls_certificates` (
	`name` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`sealed` text NOT NULL,
	`issuer` text NOT NULL,
	`not_before` integer NOT NULL,
	`not_after` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tls_orders` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tls_leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`expires_at` integer NOT NULL
);
