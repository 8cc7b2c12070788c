-- Purchases from before the reconciler: those that run, and those that ended within a week before they were last written.
UPDATE purchases SET recheck_at = updated_at + 86400000
WHERE store <> 'MANUAL'
  AND (status IN ('TRIAL', 'ACTIVE', 'GRACE_PERIOD', 'BILLING_RETRY', 'PAUSED')
    OR (status = 'EXPIRED' AND effective_end > updated_at - 604800000));
