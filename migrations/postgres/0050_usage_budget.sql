CREATE TABLE "budgets" (
	"project_id" text PRIMARY KEY NOT NULL,
	"alerts_at" jsonb NOT NULL,
	"stop_telemetry_at" bigint
);
--> statement-breakpoint
CREATE TABLE "budget_alerts" (
	"project_id" text NOT NULL,
	"month" text NOT NULL,
	"percent" bigint NOT NULL,
	CONSTRAINT "budget_alerts_project_id_month_percent_pk" PRIMARY KEY("project_id","month","percent")
);
