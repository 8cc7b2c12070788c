CREATE TABLE `charge_repairs` (
	`project_id` text PRIMARY KEY NOT NULL,
	`up_to` text NOT NULL,
	`is_done` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `joined_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`transaction_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `joined_transactions_project` ON `joined_transactions` (`project_id`);--> statement-breakpoint
CREATE INDEX `joined_transactions_transaction` ON `joined_transactions` (`transaction_id`);