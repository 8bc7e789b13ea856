import { QuireError } from "@quire/core/host";
import { z } from "zod";
import { pageAnswer, pageRequest } from "../request/paging.ts";
import { pageQuery } from "../schemas/common.ts";
import { template, templateBase, templateRequest, templates } from "../schemas/docgen.ts";
import { markingOperation as operation } from "./doc-gen.ts";
import { fileOf, templateOf } from "./find-template.ts";

const TAG = "Doc Gen templates";
const templateId = { template_id: "The id of the template, which is the id of its file." };

export const markTemplate = operation({
  id: "post_docgen_templates_v2025.0",
  method: "POST",
  path: "/docgen_templates",
  tag: TAG,
  summary: "Mark a file as a template",
  description:
    "Marking a template again is not an error. The service reads the tags in the background.",
  needs: "write",
  body: templateRequest,
  responses: { 201: { description: "The file is a template.", schema: templateBase } },
  errors: [404, 413, 415],
  async run({ body, service, who }) {
    const entry = await service.files.resolve(who.enterprise, {
      type: "file",
      id: body.file.id,
    });
    await service.templates.mark({
      tenant: who.enterprise,
      fileId: entry.id,
      markedBy: who.user,
    });
    if (entry.type === "file" && entry.version !== null) {
      service.tags.begin(who.enterprise, entry.id, entry.version.id);
    }
    return { status: 201, body: { file: { type: "file", id: entry.id } } };
  },
});

export const listTemplates = operation({
  id: "get_docgen_templates_v2025.0",
  method: "GET",
  path: "/docgen_templates",
  tag: TAG,
  summary: "List the templates",
  needs: "read",
  query: z.object(pageQuery),
  responses: {
    200: { description: "A page of templates, most recently marked first.", schema: templates },
  },
  async run({ query, service, who }) {
    const scope = ["templates", who.enterprise];
    const page = pageRequest(query, ...scope);
    const { items, nextMarker } = await service.templates.list(who.enterprise, page);
    const entries: z.output<typeof template>[] = [];
    for (const { fileId } of items) {
      // The mark of a deleted file is removed too, but possibly later.
      const file = await fileOf(service.files, who.enterprise, fileId);
      if (file !== null) entries.push({ file: { type: "file", id: fileId }, file_name: file.name });
    }
    return { status: 200, body: pageAnswer(page, entries, nextMarker, ...scope) };
  },
});

export const getTemplate = operation({
  id: "get_docgen_templates_id_v2025.0",
  method: "GET",
  path: "/docgen_templates/{template_id}",
  tag: TAG,
  summary: "Get a template",
  needs: "read",
  params: templateId,
  responses: { 200: { description: "The template.", schema: template } },
  errors: [404],
  async run(call) {
    const file = await templateOf(call);
    return { status: 200, body: { file: { type: "file", id: file.id }, file_name: file.name } };
  },
});

export const unmarkTemplate = operation({
  id: "delete_docgen_templates_id_v2025.0",
  method: "DELETE",
  path: "/docgen_templates/{template_id}",
  tag: TAG,
  summary: "Unmark a template",
  description: "The file is kept.",
  needs: "write",
  params: templateId,
  responses: { 204: { description: "The file is no longer a template." } },
  errors: [404],
  async run({ params, service, who }) {
    const id = params.template_id ?? "";
    if (await service.templates.unmark(who.enterprise, id)) return { status: 204 };
    throw new QuireError("not_found", `There is no template ${JSON.stringify(id)}. Check the id.`);
  },
});
