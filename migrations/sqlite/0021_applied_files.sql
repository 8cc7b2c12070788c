CREATE TABLE `applied_files` (
	`project_id` text PRIMARY KEY NOT NULL,
	`applied_at` integer NOT NULL,
	`applied_by` text NOT NULL,
	`sections` text NOT NULL
);
