CREATE TABLE "query_runs" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"ran_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_changes" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"changed_at" bigint NOT NULL,
	"tier" text NOT NULL,
	"until" bigint,
	"note" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"project_id" text NOT NULL,
	"meter" text NOT NULL,
	"day" bigint NOT NULL,
	"writer" bigint NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "usage_days_project_id_meter_day_writer_pk" PRIMARY KEY("project_id","meter","day","writer")
);
--> statement-breakpoint
CREATE TABLE "usage_removals" (
	"project_id" text NOT NULL,
	"meter" text NOT NULL,
	"day" bigint NOT NULL,
	"removed" bigint NOT NULL,
	CONSTRAINT "usage_removals_project_id_meter_day_pk" PRIMARY KEY("project_id","meter","day")
);
--> statement-breakpoint
CREATE TABLE "usage_levels" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"day" bigint NOT NULL,
	"value" bigint NOT NULL,
	CONSTRAINT "usage_levels_project_id_name_day_pk" PRIMARY KEY("project_id","name","day")
);
--> statement-breakpoint
CREATE INDEX "query_runs_project" ON "query_runs" USING btree ("project_id","ran_at");--> statement-breakpoint
CREATE INDEX "plan_changes_project" ON "plan_changes" USING btree ("project_id","position");--> statement-breakpoint
INSERT INTO usage_days (project_id, meter, day, writer, used)
SELECT project_id, 'events', recorded_at / 86400000, 0, count(*) FROM events GROUP BY project_id, recorded_at / 86400000;--> statement-breakpoint
INSERT INTO usage_days (project_id, meter, day, writer, used)
SELECT project_id, 'telemetry', day, 0, sum(made) FROM (
  SELECT project_id, recorded_at / 86400000 AS day, count(*) AS made FROM client_events GROUP BY project_id, recorded_at / 86400000
  UNION ALL
  SELECT s.project_id, p.day, sum(json_array_length(p.events::json)) FROM session_packs p JOIN session_projects s ON s.number = p.project GROUP BY s.project_id, p.day
) AS reported GROUP BY project_id, day;
