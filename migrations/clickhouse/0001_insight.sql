ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "offering" Nullable(String);
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "placement" Nullable(String);
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "variant" Nullable(String);
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "price" Nullable(String);
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "renewals" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "due" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "due_micros" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "active" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "paused" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "renewing" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "billing_in" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "billing_recovered" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "billing_lost" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "recovery_ms" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "grace_in" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "grace_recovered" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "grace_lost" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_voluntary" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_billing" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_price" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_unavailable" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_developer" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_replaced" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_unknown" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "end_refund" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "expired_out" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "refund_out" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "cancel_voluntary" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "cancel_billing" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "cancel_price" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "cancel_other" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "uncancelled" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "churn_voluntary" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "churn_billing" Int64;
--> statement-breakpoint
ALTER TABLE "figure_entries" ADD COLUMN IF NOT EXISTS "churn_refund" Int64;
