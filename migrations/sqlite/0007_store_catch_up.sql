CREATE TABLE `store_catchups` (
	`project_id` text NOT NULL,
	`store` text NOT NULL,
	`environment` text NOT NULL,
	`up_to` integer NOT NULL,
	PRIMARY KEY(`project_id`, `store`, `environment`)
);
