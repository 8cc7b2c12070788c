CREATE TABLE `budgets` (
	`project_id` text PRIMARY KEY NOT NULL,
	`alerts_at` text NOT NULL,
	`stop_telemetry_at` integer
);
--> statement-breakpoint
CREATE TABLE `budget_alerts` (
	`project_id` text NOT NULL,
	`month` text NOT NULL,
	`percent` integer NOT NULL,
	PRIMARY KEY(`project_id`, `month`, `percent`)
);
