/**
 * The migration that counts the usage of each tenant. Triggers maintain the counts, so every change to the tables is
 * counted. Existing rows are counted once.
 */
export const TENANT_USE_TABLES = `
  -- The size of a batch's data, and of the results and failures of its jobs.
  ALTER TABLE batch ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE batch SET bytes =
    coalesce((SELECT sum(length(data)) FROM chunk WHERE batch_no = no), 0)
    + coalesce((SELECT sum(coalesce(length(result), 0) + coalesce(length(failure), 0))
        FROM job WHERE batch_no = no), 0);

  CREATE TABLE tenant_use (
    tenant TEXT PRIMARY KEY,
    waiting INTEGER NOT NULL DEFAULT 0,
    jobs INTEGER NOT NULL DEFAULT 0,
    job_bytes INTEGER NOT NULL DEFAULT 0,
    files INTEGER NOT NULL DEFAULT 0,
    file_bytes INTEGER NOT NULL DEFAULT 0,
    webhooks INTEGER NOT NULL DEFAULT 0,
    deliveries INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;

  -- The files that a tenant's batches use, each counted once.
  CREATE TABLE tenant_file (
    tenant TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    pins INTEGER NOT NULL,
    PRIMARY KEY (tenant, sha256)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tenant_file
    SELECT tenant, sha256, length(file.bytes), count(*)
    FROM pin JOIN batch ON no = batch_no JOIN file USING (sha256) GROUP BY tenant, sha256;

  INSERT INTO tenant_use (tenant)
    SELECT tenant FROM batch UNION SELECT tenant FROM catalog_item UNION SELECT tenant FROM webhook;
  UPDATE tenant_use SET
    waiting = (SELECT coalesce(sum(submitted + pending), 0) FROM batch AS b WHERE b.tenant = tenant_use.tenant),
    jobs = (SELECT coalesce(sum(submitted + pending + completed + completed_with_error + failed), 0)
      FROM batch AS b WHERE b.tenant = tenant_use.tenant),
    job_bytes = (SELECT coalesce(sum(bytes), 0) FROM batch AS b WHERE b.tenant = tenant_use.tenant)
      + (SELECT coalesce(sum(bytes), 0) FROM tenant_file AS f WHERE f.tenant = tenant_use.tenant),
    webhooks = (SELECT count(*) FROM webhook AS w WHERE w.tenant = tenant_use.tenant);
  UPDATE tenant_use SET files = found.versions, file_bytes = found.sizes
    FROM (SELECT tenant, count(*) AS versions, sum(size) AS sizes
      FROM catalog_version JOIN catalog_item ON catalog_item.no = item_no GROUP BY tenant) AS found
    WHERE found.tenant = tenant_use.tenant;
  UPDATE tenant_use SET files = files + found.folders
    FROM (SELECT tenant, count(*) AS folders FROM catalog_item
      WHERE type = 0 AND parent_no IS NOT NULL GROUP BY tenant) AS found
    WHERE found.tenant = tenant_use.tenant;
  UPDATE tenant_use SET deliveries = found.waits
    FROM (SELECT tenant, count(*) AS waits FROM delivery JOIN webhook ON webhook.no = webhook_no
      WHERE body IS NOT NULL GROUP BY tenant) AS found
    WHERE found.tenant = tenant_use.tenant;

  CREATE TRIGGER use_batch_added AFTER INSERT ON batch BEGIN
    INSERT OR IGNORE INTO tenant_use (tenant) VALUES (NEW.tenant);
  END;
  CREATE TRIGGER use_batch_changed
    AFTER UPDATE OF submitted, pending, completed, completed_with_error, failed, bytes ON batch
    WHEN NEW.submitted + NEW.pending <> OLD.submitted + OLD.pending OR NEW.bytes <> OLD.bytes
      OR NEW.completed + NEW.completed_with_error + NEW.failed
        <> OLD.completed + OLD.completed_with_error + OLD.failed
  BEGIN
    UPDATE tenant_use SET
      waiting = waiting + NEW.submitted + NEW.pending - OLD.submitted - OLD.pending,
      jobs = jobs + NEW.submitted + NEW.pending + NEW.completed + NEW.completed_with_error + NEW.failed
        - OLD.submitted - OLD.pending - OLD.completed - OLD.completed_with_error - OLD.failed,
      job_bytes = job_bytes + NEW.bytes - OLD.bytes
    WHERE tenant = NEW.tenant;
  END;
  CREATE TRIGGER use_batch_gone AFTER DELETE ON batch BEGIN
    UPDATE tenant_use SET
      waiting = waiting - OLD.submitted - OLD.pending,
      jobs = jobs - OLD.submitted - OLD.pending - OLD.completed - OLD.completed_with_error - OLD.failed,
      job_bytes = job_bytes - OLD.bytes
    WHERE tenant = OLD.tenant;
  END;
  CREATE TRIGGER use_pin_added AFTER INSERT ON tenant_file BEGIN
    UPDATE tenant_use SET job_bytes = job_bytes + NEW.bytes WHERE tenant = NEW.tenant;
  END;
  CREATE TRIGGER use_pin_gone AFTER DELETE ON tenant_file BEGIN
    UPDATE tenant_use SET job_bytes = job_bytes - OLD.bytes WHERE tenant = OLD.tenant;
  END;

  CREATE TRIGGER use_folder_added AFTER INSERT ON catalog_item WHEN NEW.type = 0 BEGIN
    INSERT OR IGNORE INTO tenant_use (tenant) VALUES (NEW.tenant);
    UPDATE tenant_use SET files = files + (NEW.parent_no IS NOT NULL) WHERE tenant = NEW.tenant;
  END;
  CREATE TRIGGER use_folder_gone AFTER DELETE ON catalog_item WHEN OLD.type = 0 BEGIN
    UPDATE tenant_use SET files = files - (OLD.parent_no IS NOT NULL) WHERE tenant = OLD.tenant;
  END;
  CREATE TRIGGER use_version_added AFTER INSERT ON catalog_version BEGIN
    UPDATE tenant_use SET files = files + 1, file_bytes = file_bytes + NEW.size
      WHERE tenant = (SELECT tenant FROM catalog_item WHERE no = NEW.item_no);
  END;
  CREATE TRIGGER use_version_gone AFTER DELETE ON catalog_version BEGIN
    UPDATE tenant_use SET files = files - 1, file_bytes = file_bytes - OLD.size
      WHERE tenant = (SELECT tenant FROM catalog_item WHERE no = OLD.item_no);
  END;

  CREATE TRIGGER use_webhook_added AFTER INSERT ON webhook BEGIN
    INSERT OR IGNORE INTO tenant_use (tenant) VALUES (NEW.tenant);
    UPDATE tenant_use SET webhooks = webhooks + 1 WHERE tenant = NEW.tenant;
  END;
  CREATE TRIGGER use_webhook_gone AFTER DELETE ON webhook BEGIN
    UPDATE tenant_use SET webhooks = webhooks - 1 WHERE tenant = OLD.tenant;
  END;
  CREATE TRIGGER use_delivery_added AFTER INSERT ON delivery BEGIN
    UPDATE tenant_use SET deliveries = deliveries + 1
      WHERE tenant = (SELECT tenant FROM webhook WHERE no = NEW.webhook_no);
  END;
  CREATE TRIGGER use_delivery_settled AFTER UPDATE OF body ON delivery
    WHEN OLD.body IS NOT NULL AND NEW.body IS NULL
  BEGIN
    UPDATE tenant_use SET deliveries = deliveries - 1
      WHERE tenant = (SELECT tenant FROM webhook WHERE no = NEW.webhook_no);
  END;
  CREATE TRIGGER use_delivery_gone AFTER DELETE ON delivery WHEN OLD.body IS NOT NULL BEGIN
    UPDATE tenant_use SET deliveries = deliveries - 1
      WHERE tenant = (SELECT tenant FROM webhook WHERE no = OLD.webhook_no);
  END;
`;
