import type { Operation } from "../openapi/operation.ts";
import type { DocGenService, MarkingService } from "./doc-gen.ts";
import * as batches from "./docgen-batches.ts";
import * as jobs from "./docgen-jobs.ts";
import * as tags from "./docgen-tags.ts";
import * as templates from "./docgen-templates.ts";

/** The operations on batches and jobs, in the order of the documentation. */
export const BATCH_OPERATIONS: readonly Operation<DocGenService>[] = [
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
];

/** The operations that mark files as templates. */
export const MARK_OPERATIONS: readonly Operation<MarkingService>[] = [
  templates.markTemplate,
  templates.listTemplates,
  templates.getTemplate,
  templates.unmarkTemplate,
];

/** The operations on the content of templates. */
export const TAG_OPERATIONS: readonly Operation<DocGenService>[] = [tags.listTags, tags.getSchema];
