CREATE TABLE `identity_secrets` (
	`project_id` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`last4` text NOT NULL,
	`previous_sealed` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
