DROP INDEX "purchases_chain";--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "line_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "former_line_keys" jsonb;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "charge_scope" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_chain" ON "purchases" USING btree ("project_id","store","chain_key","line_key");