CREATE TABLE "assistant_credentials" (
	"project_id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"base_url" text,
	"sealed_key" text,
	"key_last4" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_threads" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"title" text,
	"marks" jsonb NOT NULL,
	"turn_message_id" text,
	"turn_instance" text,
	"turn_started_at" bigint,
	"created_at" bigint NOT NULL,
	"last_message_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"status" text NOT NULL,
	"tools" jsonb NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_usage" (
	"project_id" text NOT NULL,
	"month" text NOT NULL,
	"messages" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	CONSTRAINT "assistant_usage_project_id_month_pk" PRIMARY KEY("project_id","month")
);
--> statement-breakpoint
CREATE INDEX "assistant_threads_author" ON "assistant_threads" USING btree ("project_id","user_id","id");--> statement-breakpoint
CREATE INDEX "assistant_threads_last" ON "assistant_threads" USING btree ("last_message_at");--> statement-breakpoint
CREATE INDEX "assistant_threads_turn" ON "assistant_threads" USING btree ("turn_instance") WHERE "assistant_threads"."turn_instance" is not null;--> statement-breakpoint
CREATE INDEX "assistant_messages_thread" ON "assistant_messages" USING btree ("thread_id","id");--> statement-breakpoint
CREATE INDEX "assistant_messages_project" ON "assistant_messages" USING btree ("project_id");