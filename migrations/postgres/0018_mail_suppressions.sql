CREATE TABLE "mail_suppressions" (
	"address_hash" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "mail_suppressions_address_hash_reason_pk" PRIMARY KEY("address_hash","reason")
);
--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING btree ("created_at");