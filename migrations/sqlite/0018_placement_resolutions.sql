CREATE TABLE `placement_resolutions` (
	`project_id` text NOT NULL,
	`identifier` text NOT NULL,
	`resolutions` integer NOT NULL,
	PRIMARY KEY(`project_id`, `identifier`)
);
