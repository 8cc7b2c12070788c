ALTER TABLE `figure_projects` ADD `settings` text;--> statement-breakpoint
ALTER TABLE `figure_projects` ADD `bases` text;