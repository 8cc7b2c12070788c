DROP INDEX `custom_domains_hostname`;--> statement-breakpoint
ALTER TABLE `custom_domains` ADD `failure` text;--> statement-breakpoint
CREATE UNIQUE INDEX `custom_domains_name` ON `custom_domains` (`project_id`,`hostname`);--> statement-breakpoint
CREATE UNIQUE INDEX `custom_domains_verified` ON `custom_domains` (`hostname`) WHERE status = 'VERIFIED';--> statement-breakpoint
CREATE INDEX `custom_domains_hostname` ON `custom_domains` (`hostname`);--> statement-breakpoint
UPDATE `custom_domains` SET `failure` = 'NOT_PROVED' WHERE `status` = 'FAILED';
