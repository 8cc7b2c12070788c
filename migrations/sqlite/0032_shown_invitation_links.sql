ALTER TABLE `users` ADD `admitted_by` text;--> statement-breakpoint
ALTER TABLE `invitations` ADD `shown_token_hash` text;--> statement-breakpoint
ALTER TABLE `invitations` ADD `sealed_token` text;--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_shown_token` ON `invitations` (`shown_token_hash`);