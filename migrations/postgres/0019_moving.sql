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
CREATE INDEX "data_requests_project" ON "data_requests" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "data_requests_subscriber" ON "data_requests" USING btree ("subscriber_id","type");--> statement-breakpoint
CREATE INDEX "data_requests_status" ON "data_requests" USING btree ("status","updated_at");--> statement-breakpoint
CREATE INDEX "import_jobs_project" ON "import_jobs" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "import_jobs_status" ON "import_jobs" USING btree ("status");--> statement-breakpoint
CREATE INDEX "import_purchases_purchase" ON "import_purchases" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "import_anchors_key" ON "import_anchors" USING btree ("job_id","anchor_key");--> statement-breakpoint
CREATE INDEX "import_anchors_state" ON "import_anchors" USING btree ("job_id","state","position");