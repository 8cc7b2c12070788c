ALTER TABLE "figure_projects" ADD COLUMN "settings" jsonb;--> statement-breakpoint
ALTER TABLE "figure_projects" ADD COLUMN "bases" jsonb;