DROP INDEX `purchases_chain`;--> statement-breakpoint
ALTER TABLE `purchases` ADD `line_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `purchases` ADD `former_line_keys` text;--> statement-breakpoint
ALTER TABLE `purchases` ADD `charge_scope` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_chain` ON `purchases` (`project_id`,`store`,`chain_key`,`line_key`);