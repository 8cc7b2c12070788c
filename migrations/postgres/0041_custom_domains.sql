CREATE TABLE "custom_domains" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"hostname" text NOT NULL,
	"status" text NOT NULL,
	"token" text NOT NULL,
	"root_funnel_id" text,
	"redirect_to" text,
	"cycle_at" bigint,
	"verified_at" bigint,
	"missing_since" bigint,
	"checked_at" bigint,
	"next_check_at" bigint,
	"seen_texts" jsonb,
	"address" jsonb,
	"certificate" jsonb,
	"wallets" jsonb,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "freed_hostnames" (
	"hostname" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"freed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "custom_domains_hostname" ON "custom_domains" USING btree ("hostname");--> statement-breakpoint
CREATE INDEX "custom_domains_project" ON "custom_domains" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "custom_domains_check" ON "custom_domains" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "freed_hostnames_project" ON "freed_hostnames" USING btree ("project_id");