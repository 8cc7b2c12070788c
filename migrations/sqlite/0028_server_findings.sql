CREATE TABLE `server_findings` (
	`name` text PRIMARY KEY NOT NULL,
	`facts` text NOT NULL,
	`found_at` integer NOT NULL
);
