CREATE TABLE `mail_suppressions` (
	`address_hash` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`address_hash`, `reason`)
);
--> statement-breakpoint
CREATE INDEX `mails_age` ON `mails` (`created_at`);