CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"to_address" text NOT NULL,
	"user_id" text,
	"project_id" text,
	"subject" text NOT NULL,
	"sealed" text,
	"status" text NOT NULL,
	"attempts" bigint NOT NULL,
	"next_attempt_at" bigint,
	"expires_at" bigint,
	"last_error" text,
	"sent_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("status","next_attempt_at");--> statement-breakpoint
CREATE INDEX "mails_expiry" ON "mails" USING btree ("expires_at");