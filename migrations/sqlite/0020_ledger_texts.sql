DROP TRIGGER `ledger_no_update`;
--> statement-breakpoint
CREATE TRIGGER `ledger_no_update` BEFORE UPDATE ON `ledger`
WHEN new.`id` IS NOT old.`id` OR new.`project_id` IS NOT old.`project_id`
  OR new.`subscriber_id` IS NOT old.`subscriber_id` OR new.`currency_id` IS NOT old.`currency_id`
  OR new.`number` IS NOT old.`number` OR new.`type` IS NOT old.`type` OR new.`amount` IS NOT old.`amount`
  OR new.`balance` IS NOT old.`balance` OR new.`grant_reference` IS NOT old.`grant_reference`
  OR new.`created_at` IS NOT old.`created_at`
  OR (new.`idempotency_key` IS NOT NULL AND new.`idempotency_key` IS NOT old.`idempotency_key`)
  OR (new.`reference_type` IS NOT NULL AND new.`reference_type` IS NOT old.`reference_type`)
  OR (new.`reference_id` IS NOT NULL AND new.`reference_id` IS NOT old.`reference_id`)
  OR (new.`description` IS NOT NULL AND new.`description` IS NOT old.`description`)
BEGIN
  SELECT RAISE(ABORT, 'ledger rows are never changed');
END;
