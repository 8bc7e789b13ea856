/**
 * The functions of the webhook store. They lock in this order, so that no deadlocks arise: webhooks by number,
 * deliveries, counters.
 */
export const WEBHOOK_FUNCTIONS = `
  -- Removes at most this number of deliveries of a webhook, and the webhook itself with the last ones. Returns whether
  -- the webhook is gone; null if the tenant has no such webhook.
  CREATE FUNCTION quire.webhook_remove(of_tenant text, of_id text, size int) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    hook bigint;
    found_count bigint;
    waiting bigint;
    is_gone boolean;
  BEGIN
    -- Nobody adds deliveries while it is locked.
    SELECT no INTO hook FROM quire.webhook WHERE id = of_id AND tenant = of_tenant FOR UPDATE;
    IF hook IS NULL THEN RETURN null; END IF;
    WITH gone AS (
      DELETE FROM quire.delivery
        WHERE no = ANY(ARRAY(SELECT no FROM quire.delivery WHERE webhook_no = hook LIMIT size))
        RETURNING body IS NOT NULL AS is_waiting
    ) SELECT count(*), count(*) FILTER (WHERE is_waiting) INTO found_count, waiting FROM gone;
    is_gone := found_count < size;
    IF is_gone THEN DELETE FROM quire.webhook WHERE no = hook; END IF;
    INSERT INTO quire.service_use AS known (tenant, slot, webhooks, deliveries)
      VALUES (of_tenant, quire.slot(), -is_gone::int, -waiting)
      ON CONFLICT (tenant, slot) DO UPDATE SET
        webhooks = known.webhooks + EXCLUDED.webhooks, deliveries = known.deliveries + EXCLUDED.deliveries;
    RETURN is_gone;
  END $$;

  CREATE FUNCTION quire.delivery_enqueue(ids text[], webhook_ids text[], bodies text[], give_ups bigint[])
    RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    hooks bigint[];
    numbers bigint[];
    now bigint;
  BEGIN
    hooks := ARRAY(SELECT no FROM quire.webhook WHERE id = ANY(webhook_ids) ORDER BY no FOR KEY SHARE);
    -- Deliveries are numbered in the given order, but inserted in the order of their ids.
    numbers := ARRAY(SELECT nextval('quire.delivery_no_seq') FROM unnest(ids));
    now := quire.clock();
    WITH added AS (
      INSERT INTO quire.delivery (no, id, webhook_no, body, give_up_at, due_at) OVERRIDING SYSTEM VALUE
        SELECT numbers[n], new.id, webhook.no, new.body, new.give_up_at, now
        FROM unnest(ids, webhook_ids, bodies, give_ups)
          WITH ORDINALITY AS new (id, webhook_id, body, give_up_at, n)
          JOIN quire.webhook ON webhook.id = new.webhook_id AND webhook.no = ANY(hooks)
        ORDER BY new.id COLLATE "C", n
        ON CONFLICT DO NOTHING RETURNING webhook_no
    )
    INSERT INTO quire.service_use AS known (tenant, slot, deliveries)
      SELECT tenant, quire.slot(), count(*) FROM added JOIN quire.webhook ON webhook.no = webhook_no
      GROUP BY tenant ORDER BY tenant
      ON CONFLICT (tenant, slot) DO UPDATE SET deliveries = known.deliveries + EXCLUDED.deliveries;
    -- Forgets settled deliveries.
    DELETE FROM quire.delivery WHERE no = ANY(ARRAY(
      SELECT no FROM quire.delivery WHERE body IS NULL AND give_up_at < now LIMIT 200 FOR UPDATE SKIP LOCKED));
  END $$;
`;
