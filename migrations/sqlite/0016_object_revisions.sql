CREATE TABLE `object_revisions` (
	`project_id` text NOT NULL,
	`object_id` text NOT NULL,
	`revision` integer NOT NULL,
	`updated_by` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`project_id`, `object_id`)
);
