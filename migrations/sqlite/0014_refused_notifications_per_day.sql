CREATE TABLE `store_refusals` (
	`project_id` text NOT NULL,
	`day` integer NOT NULL,
	`kept` integer NOT NULL,
	PRIMARY KEY(`project_id`, `day`)
);
