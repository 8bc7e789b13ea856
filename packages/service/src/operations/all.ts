import type { Operation } from "@quire/http/parts";
import { BATCH_OPERATIONS, MARK_OPERATIONS, TAG_OPERATIONS } from "@quire/http/parts";
import { downloadFile } from "./download-file.ts";
import * as files from "./files.ts";
import * as folders from "./folders.ts";
import type { Service } from "./service-operation.ts";
import * as webhooks from "./webhooks.ts";

/** All operations of the service, in the order of the documentation. */
export const OPERATIONS: readonly Operation<Service>[] = [
  ...BATCH_OPERATIONS,
  ...MARK_OPERATIONS,
  ...TAG_OPERATIONS,
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
