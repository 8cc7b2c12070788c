CREATE TRIGGER `ledger_no_update` BEFORE UPDATE ON `ledger`
BEGIN
  SELECT RAISE(ABORT, 'ledger rows are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_no_delete` BEFORE DELETE ON `ledger`
BEGIN
  SELECT RAISE(ABORT, 'ledger rows are never deleted');
END;
