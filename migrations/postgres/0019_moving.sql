CREATE TABLE "compare_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"vendor" text NOT NULL,
	"url" text,
	"is_trusted" boolean NOT NULL,
	"sealed_key" text,
	"sample" bigint,
	"threshold" text,
	"rate" double precision NOT NULL,
	"skip_sandbox" boolean NOT NULL,
	"is_scheduled" boolean NOT NULL,
	"last_id" text NOT NULL,
	"status" text NOT NULL,
	"progress" jsonb NOT NULL,
	"counters" jsonb NOT NULL,
	"kinds" jsonb NOT NULL,
	"error" text,
	"owner" text,
	"seen_at" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "compare_findings" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"run_id" text NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"person" text NOT NULL,
	"kind" text NOT NULL,
	"identifier" text NOT NULL,
	"ours" text NOT NULL,
	"theirs" text NOT NULL,
	"rule" text,
	"reason" text NOT NULL,
	"purchase_id" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "compare_later" (
	"run_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"not_before" bigint NOT NULL,
	CONSTRAINT "compare_later_run_id_subscriber_id_pk" PRIMARY KEY("run_id","subscriber_id")
);
--> statement-breakpoint
CREATE TABLE "compare_schedules" (
	"project_id" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"vendor" text NOT NULL,
	"url" text,
	"is_trusted" boolean NOT NULL,
	"sealed_key" text NOT NULL,
	"key_last4" text NOT NULL,
	"sample" bigint,
	"rate" double precision NOT NULL,
	"skip_sandbox" boolean NOT NULL,
	"daily_at" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"next_run_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"requested_by" text NOT NULL,
	"artefact_key" text,
	"certificate" text,
	"error" text,
	"claimed_at" bigint,
	"completed_at" bigint,
	"expires_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"counts" jsonb NOT NULL,
	"erased_at" bigint NOT NULL,
	"cleaned_at" bigint
);
--> statement-breakpoint
CREATE TABLE "import_jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"preset" text,
	"file_name" text NOT NULL,
	"files" jsonb NOT NULL,
	"headers" jsonb NOT NULL,
	"mapping" jsonb,
	"options" jsonb NOT NULL,
	"counters" jsonb NOT NULL,
	"findings" jsonb NOT NULL,
	"checkpoint" jsonb,
	"error" text,
	"started_by" text NOT NULL,
	"owner" text,
	"seen_at" bigint NOT NULL,
	"committed_at" bigint,
	"finished_at" bigint,
	"files_deleted_at" bigint,
	"undone_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_subscribers" (
	"job_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"is_new" boolean NOT NULL,
	"before" jsonb,
	CONSTRAINT "import_subscribers_job_id_subscriber_id_pk" PRIMARY KEY("job_id","subscriber_id")
);
--> statement-breakpoint
CREATE TABLE "import_purchases" (
	"job_id" text NOT NULL,
	"purchase_id" text NOT NULL,
	"is_new" boolean NOT NULL,
	"repeats" jsonb NOT NULL,
	CONSTRAINT "import_purchases_job_id_purchase_id_pk" PRIMARY KEY("job_id","purchase_id")
);
--> statement-breakpoint
CREATE TABLE "import_anchors" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"job_id" text NOT NULL,
	"project_id" text NOT NULL,
	"subscriber_id" text NOT NULL,
	"purchase_id" text,
	"store" text NOT NULL,
	"anchor_key" text collate "C" NOT NULL,
	"proof" jsonb NOT NULL,
	"state" text NOT NULL,
	"attempts" bigint NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "erased_keys" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"hash" text collate "C" NOT NULL,
	"subscriber_id" text NOT NULL,
	"erased_at" bigint NOT NULL,
	CONSTRAINT "erased_keys_project_id_kind_hash_pk" PRIMARY KEY("project_id","kind","hash")
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "reduced_at" bigint;--> statement-breakpoint
CREATE INDEX "compare_runs_project" ON "compare_runs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "compare_findings_run" ON "compare_findings" USING btree ("run_id","position");--> statement-breakpoint
CREATE INDEX "compare_findings_purchase" ON "compare_findings" USING btree ("run_id","purchase_id");--> statement-breakpoint
CREATE INDEX "compare_findings_subscriber" ON "compare_findings" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "compare_later_subscriber" ON "compare_later" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "compare_schedules_due" ON "compare_schedules" USING btree ("is_enabled","next_run_at");--> statement-breakpoint
CREATE INDEX "data_requests_project" ON "data_requests" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "data_requests_subscriber" ON "data_requests" USING btree ("subscriber_id","type");--> statement-breakpoint
CREATE INDEX "data_requests_status" ON "data_requests" USING btree ("status","updated_at");--> statement-breakpoint
CREATE INDEX "erasures_open" ON "erasures" USING btree ("cleaned_at");--> statement-breakpoint
CREATE INDEX "import_jobs_project" ON "import_jobs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "import_jobs_status" ON "import_jobs" USING btree ("status");--> statement-breakpoint
CREATE INDEX "import_purchases_purchase" ON "import_purchases" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "import_anchors_key" ON "import_anchors" USING btree ("job_id","anchor_key");--> statement-breakpoint
CREATE INDEX "import_anchors_state" ON "import_anchors" USING btree ("job_id","state","position");