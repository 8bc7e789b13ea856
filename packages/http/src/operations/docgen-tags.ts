import { Buffer } from "node:buffer";
import { pageRoom, QuireError } from "@quire/core/host";
import { z } from "zod";
import { badMarker, pageAnswer, pageRequest } from "../request/paging.ts";
import { pageQuery } from "../schemas/common.ts";
import { dataSchema, type tag as tagSchema, tags, tagsProcessing } from "../schemas/docgen.ts";
import { fieldProblems } from "../wire/error-body.ts";
import { type DocGenCall, operation } from "./doc-gen.ts";
import { templateOf } from "./find-template.ts";

const TAG = "Doc Gen templates";
const templateId = { template_id: "The id of the template, which is the id of its file." };
const PROCESSING = { status: 202, body: { message: "Processing tags for this file." } };

export const listTags = operation({
  id: "get_docgen_templates_id_tags_v2025.0",
  method: "GET",
  path: "/docgen_templates/{template_id}/tags",
  tag: TAG,
  summary: "List the tags of a template",
  needs: "read",
  params: templateId,
  query: z.object({
    ...pageQuery,
    template_version_id: z
      .string()
      .max(1024)
      .optional()
      .meta({ description: "A version of the template's file. Default: the current version." }),
  }),
  responses: {
    200: { description: "A page of tags, in document order.", schema: tags },
    202: {
      description: "The service is still reading the tags. Retry later.",
      schema: tagsProcessing,
    },
  },
  errors: [404],
  async run(call) {
    const { file, version } = await versionOf(call, call.query.template_version_id);
    const scope = ["tags", file, version ?? "current"];
    const page = pageRequest(call.query, ...scope);
    const begin = startOf(page.marker);
    const facts = await call.service.tags.facts(call.who.enterprise, file, version, call.signal);
    if (facts === null) return PROCESSING;
    const takes = pageRoom({ limit: page.limit, maxBytes: call.service.limits.answerBytes });
    const entries: z.output<typeof tagSchema>[] = [];
    for (const { tag_content, tag_type, json_paths } of facts.tags.slice(
      begin,
      begin + page.limit,
    )) {
      const entry = { tag_content, tag_type, json_paths: [...json_paths] };
      if (!takes(Buffer.byteLength(JSON.stringify(entry)))) break;
      entries.push(entry);
    }
    const end = begin + entries.length;
    const next = end < facts.tags.length ? String(end) : null;
    const answer = pageAnswer(page, entries, next, ...scope);
    const { errors } = facts;
    if (errors.length === 0) return { status: 200, body: answer };
    return { status: 200, body: { ...answer, errors: fieldProblems({ diagnostics: errors }) } };
  },
});

export const getSchema = operation({
  id: "get_docgen_templates_id_schema",
  method: "GET",
  path: "/docgen_templates/{template_id}/schema",
  tag: TAG,
  summary: "Get a JSON Schema of a template's data",
  description: "Quire extension: the schema of `user_input`.",
  needs: "read",
  params: templateId,
  responses: {
    200: { description: "The JSON Schema.", schema: dataSchema },
    202: {
      description: "The service is still reading the template. Retry later.",
      schema: tagsProcessing,
    },
  },
  errors: [404],
  async run(call) {
    const { file, version } = await versionOf(call, undefined);
    const facts = await call.service.tags.facts(call.who.enterprise, file, version, call.signal);
    if (facts === null) return PROCESSING;
    if (facts.errors.length === 0) return { status: 200, body: facts.schema };
    throw new QuireError(
      "invalid_template",
      "The template has errors, so its data schema is not available. Fix the template.",
      {
        diagnostics: facts.errors,
      },
    );
  },
});

async function versionOf(
  call: Pick<DocGenCall, "service" | "params" | "who">,
  wanted: string | undefined,
): Promise<{ readonly file: string; readonly version: string | null }> {
  const file = await templateOf(call);
  if (wanted === undefined) return { file: file.id, version: file.version?.id ?? null };
  const found = await call.service.files.version(call.who.enterprise, file.id, wanted);
  if (found !== null) return { file: file.id, version: found.id };
  throw new QuireError(
    "not_found",
    `The template ${JSON.stringify(file.id)} has no version ${JSON.stringify(wanted)}. Check the id of the version.`,
  );
}

function startOf(marker: string | undefined): number {
  if (marker === undefined) return 0;
  if (/^[1-9]\d{0,8}$/.test(marker)) return Number(marker);
  throw badMarker();
}
