-- Audit rows that were reduced by an earlier version have no entry that proves them. A job appends these entries, once.
INSERT INTO jobs (id, name, payload, state, run_at, attempts, max_attempts, is_wanted_again, created_at)
SELECT 'job_00000000000000000000000029', 'audit.prove-former', '{}', 'WAITING', unixepoch() * 1000, 0, 10, 0, unixepoch() * 1000
WHERE EXISTS (SELECT 1 FROM audit_log WHERE reduced_at IS NOT NULL);
