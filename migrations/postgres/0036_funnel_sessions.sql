CREATE TABLE "funnel_tokens" (
	"session_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"sealed" text,
	"proof" text NOT NULL,
	"issued_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"claimed_at" bigint,
	"claimed_by" text
);
--> statement-breakpoint
CREATE TABLE "funnel_moves" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"session_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"moved_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_links" (
	"hash" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"purpose" text NOT NULL,
	"session_id" text,
	"email_hash" text NOT NULL,
	"mail_id" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "funnel_openings" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"session_id" text,
	"address_hash" text NOT NULL,
	"language" text,
	"install_id" text,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_links" (
	"project_id" text PRIMARY KEY NOT NULL,
	"links" jsonb NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "funnel_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"session_id" text NOT NULL,
	"page_id" text NOT NULL,
	"provider" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"unsettled" text,
	"package_identifier" text NOT NULL,
	"product_id" text NOT NULL,
	"amount_micros" bigint NOT NULL,
	"currency" text NOT NULL,
	"price_micros" bigint NOT NULL,
	"discount_id" text,
	"client_secret" text,
	"objects" jsonb NOT NULL,
	"reference" text NOT NULL,
	"email" text,
	"email_hash" text,
	"fence" bigint NOT NULL,
	"purchase_id" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"paid_at" bigint,
	"refunded_at" bigint
);
--> statement-breakpoint
CREATE TABLE "funnel_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"funnel_id" text NOT NULL,
	"version_no" bigint NOT NULL,
	"state" text NOT NULL,
	"path" jsonb NOT NULL,
	"locale" text NOT NULL,
	"secret_hash" text NOT NULL,
	"query" jsonb NOT NULL,
	"utm" jsonb NOT NULL,
	"referrer" text,
	"country" text,
	"device" text NOT NULL,
	"visitor_id" text,
	"placement" text,
	"experiment_id" text,
	"variant_id" text,
	"subscriber_id" text,
	"started_at" bigint NOT NULL,
	"active_at" bigint NOT NULL,
	"paid_at" bigint,
	"completed_at" bigint,
	"lease_fence" bigint NOT NULL,
	"lease_holder" text,
	"lease_until" bigint
);
--> statement-breakpoint
CREATE TABLE "funnel_answers" (
	"session_id" text NOT NULL,
	"field_id" text NOT NULL,
	"project_id" text NOT NULL,
	"page_id" text NOT NULL,
	"value" jsonb NOT NULL,
	"is_sealed" boolean NOT NULL,
	"answered_at" bigint NOT NULL,
	CONSTRAINT "funnel_answers_session_id_field_id_pk" PRIMARY KEY("session_id","field_id")
);
--> statement-breakpoint
CREATE TABLE "funnel_steps" (
	"session_id" text NOT NULL,
	"page_id" text NOT NULL,
	"project_id" text NOT NULL,
	"viewed_at" bigint NOT NULL,
	"advanced_at" bigint,
	CONSTRAINT "funnel_steps_session_id_page_id_pk" PRIMARY KEY("session_id","page_id")
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "price" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_tokens_hash" ON "funnel_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "funnel_tokens_project" ON "funnel_tokens" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "funnel_moves_purchase" ON "funnel_moves" USING btree ("purchase_id","moved_at");--> statement-breakpoint
CREATE INDEX "funnel_moves_project" ON "funnel_moves" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "funnel_links_email" ON "funnel_links" USING btree ("project_id","email_hash","created_at");--> statement-breakpoint
CREATE INDEX "funnel_links_mail" ON "funnel_links" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "funnel_links_end" ON "funnel_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "funnel_openings_address" ON "funnel_openings" USING btree ("project_id","address_hash","at");--> statement-breakpoint
CREATE INDEX "funnel_openings_at" ON "funnel_openings" USING btree ("at");--> statement-breakpoint
CREATE INDEX "funnel_payments_session" ON "funnel_payments" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "funnel_payments_reference" ON "funnel_payments" USING btree ("project_id","provider","reference");--> statement-breakpoint
CREATE INDEX "funnel_payments_email" ON "funnel_payments" USING btree ("project_id","email_hash");--> statement-breakpoint
CREATE INDEX "funnel_payments_purchase" ON "funnel_payments" USING btree ("purchase_id");--> statement-breakpoint
CREATE INDEX "funnel_sessions_funnel" ON "funnel_sessions" USING btree ("funnel_id","started_at");--> statement-breakpoint
CREATE INDEX "funnel_sessions_project" ON "funnel_sessions" USING btree ("project_id","started_at");--> statement-breakpoint
CREATE INDEX "funnel_sessions_idle" ON "funnel_sessions" USING btree ("state","active_at");--> statement-breakpoint
CREATE INDEX "funnel_sessions_subscriber" ON "funnel_sessions" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "funnel_sessions_lease" ON "funnel_sessions" USING btree ("lease_until");--> statement-breakpoint
CREATE INDEX "funnel_answers_project" ON "funnel_answers" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "funnel_steps_project" ON "funnel_steps" USING btree ("project_id");