CREATE TABLE `former_sdk_devices` (
	`project_id` text NOT NULL,
	`device_hash` text NOT NULL,
	`platform` text NOT NULL,
	`flavor` text NOT NULL,
	`version` text NOT NULL,
	`app_version` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`project_id`, `device_hash`, `platform`)
);
--> statement-breakpoint
CREATE INDEX `former_sdk_devices_day` ON `former_sdk_devices` (`day`);