CREATE TABLE "assistant_reservations" (
	"message_id" text NOT NULL,
	"month" text NOT NULL,
	"project_id" text NOT NULL,
	"instance" text NOT NULL,
	"messages" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"used_input_tokens" bigint NOT NULL,
	"used_output_tokens" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "assistant_reservations_message_id_month_pk" PRIMARY KEY("message_id","month")
);
--> statement-breakpoint
ALTER TABLE "assistant_threads" ADD COLUMN "turn_stopped_at" bigint;--> statement-breakpoint
CREATE INDEX "assistant_reservations_month" ON "assistant_reservations" USING btree ("project_id","month");