CREATE OR REPLACE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  texts CONSTANT text[] := ARRAY['idempotency_key', 'reference_type', 'reference_id', 'description'];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(new) - texts = to_jsonb(old) - texts
      AND (new.idempotency_key IS NULL OR new.idempotency_key IS NOT DISTINCT FROM old.idempotency_key)
      AND (new.reference_type IS NULL OR new.reference_type IS NOT DISTINCT FROM old.reference_type)
      AND (new.reference_id IS NULL OR new.reference_id IS NOT DISTINCT FROM old.reference_id)
      AND (new.description IS NULL OR new.description IS NOT DISTINCT FROM old.description)
    THEN
      RETURN new;
    END IF;
  END IF;
  RAISE EXCEPTION 'ledger rows are never changed or deleted';
END $$;
