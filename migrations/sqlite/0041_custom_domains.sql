CREATE TABLE `custom_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`hostname` text NOT NULL,
	`status` text NOT NULL,
	`token` text NOT NULL,
	`root_funnel_id` text,
	`redirect_to` text,
	`cycle_at` integer,
	`verified_at` integer,
	`missing_since` integer,
	`checked_at` integer,
	`next_check_at` integer,
	`seen_texts` text,
	`address` text,
	`certificate` text,
	`wallets` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_domains_hostname` ON `custom_domains` (`hostname`);--> statement-breakpoint
CREATE INDEX `custom_domains_project` ON `custom_domains` (`project_id`);--> statement-breakpoint
CREATE INDEX `custom_domains_check` ON `custom_domains` (`next_check_at`);--> statement-breakpoint
CREATE TABLE `freed_hostnames` (
	`hostname` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`freed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `freed_hostnames_project` ON `freed_hostnames` (`project_id`);