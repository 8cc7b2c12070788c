ALTER TABLE "users" ADD COLUMN "admitted_by" text;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "shown_token_hash" text;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "sealed_token" text;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_shown_token" ON "invitations" USING btree ("shown_token_hash");