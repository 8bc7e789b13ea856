import * as batches from "./docgen-batches.ts";
import * as jobs from "./docgen-jobs.ts";
import * as tags from "./docgen-tags.ts";
import * as templates from "./docgen-templates.ts";
import { downloadFile } from "./download-file.ts";
import * as files from "./files.ts";
import * as folders from "./folders.ts";
import type { Operation } from "./operation.ts";
import type { Service } from "./service-operation.ts";
import * as webhooks from "./webhooks.ts";

/** All operations of the service, in the order of the documentation. */
export const OPERATIONS: readonly Operation<Service>[] = [
  batches.createBatch,
  batches.checkBatch,
  batches.getBatch,
  batches.cancelBatch,
  batches.retryBatch,
  batches.batchEvents,
  batches.listBatchJobs,
  jobs.listJobs,
  jobs.getJob,
  jobs.listTemplateJobs,
  templates.markTemplate,
  templates.listTemplates,
  templates.getTemplate,
  templates.unmarkTemplate,
  tags.listTags,
  tags.getSchema,
  files.uploadFile,
  files.preflight,
  files.uploadVersion,
  files.getFile,
  files.updateFile,
  files.deleteFile,
  downloadFile,
  files.listVersions,
  folders.createFolder,
  folders.getFolder,
  folders.listItems,
  folders.deleteFolder,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
];
