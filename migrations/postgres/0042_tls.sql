CREATE TABLE "tls_accounts" (
	"directory" text PRIMARY KEY NOT NULL,
	"account_url" text,
	"sealed" text NOT NULL,
	"terms_url" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tls_names" (
	"name" text PRIMARY KEY NOT NULL,
	"project_id" text,
	"is_wanted" boolean NOT NULL,
	"status" text NOT NULL,
	"failures" bigint NOT NULL,
	"next_attempt_at" bigint,
	"error_code" text,
	"error_detail" text,
	"healthy_since" bigint,
	"alerted" bigint NOT NULL,
	"renewal_checked_at" bigint,
	"renew_at" bigint
);
--> statement-breakpoint
CREATE TABLE "tls_certificates" (
	"name" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"sealed" text NOT NULL,
	"issuer" text NOT NULL,
	"not_before" bigint NOT NULL,
	"not_after" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tls_orders" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tls_leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"expires_at" bigint NOT NULL
);
