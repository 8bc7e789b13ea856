import { isQuireError, QuireError } from "@quire/core/host";
import { z } from "zod";
import { pageAnswer, pageRequest } from "../request/paging.ts";
import { pageQuery } from "../schemas/common.ts";
import { job, jobs, jobsFull } from "../schemas/docgen.ts";
import { wireJob, wireJobsFull } from "../wire/jobs.ts";
import { operation } from "./doc-gen.ts";
import { templateOf } from "./find-template.ts";

const TAG = "Doc Gen";

export const listJobs = operation({
  id: "get_docgen_jobs_v2025.0",
  method: "GET",
  path: "/docgen_jobs",
  tag: TAG,
  summary: "List all of your jobs",
  needs: "read",
  versioned: true,
  query: z.object(pageQuery),
  responses: {
    200: { description: "A page of jobs, newest batch first.", schema: jobsFull },
  },
  async run({ query, service, who }) {
    const scope = ["jobs", who.enterprise, who.user];
    const page = pageRequest(query, ...scope);
    const { items, nextMarker } = await service.engine.listJobs({
      tenant: who.enterprise,
      caller: who.user,
      limit: page.limit,
      maxBytes: service.limits.answerBytes,
      ...(page.marker === undefined ? {} : { marker: page.marker }),
    });
    const entries = await wireJobsFull(service.engine, items);
    return { status: 200, body: pageAnswer(page, entries, nextMarker, ...scope) };
  },
});

export const getJob = operation({
  id: "get_docgen_jobs_id_v2025.0",
  method: "GET",
  path: "/docgen_jobs/{job_id}",
  tag: TAG,
  summary: "Get a job",
  needs: "read",
  versioned: true,
  params: { job_id: "The id of the job." },
  responses: { 200: { description: "The job.", schema: job } },
  errors: [404],
  async run({ params, service, who }) {
    const id = params.job_id ?? "";
    const { engine } = service;
    try {
      const found = await engine.getJob(id);
      const { tenant } = await engine.getBatch(found.batchId);
      if (tenant === who.enterprise) return { status: 200, body: wireJob(found) };
    } catch (error) {
      if (!isQuireError(error) || error.code !== "not_found") throw error;
    }
    throw new QuireError("not_found", `There is no job ${JSON.stringify(id)}. Check the id.`);
  },
});

export const listTemplateJobs = operation({
  id: "get_docgen_template_jobs_id_v2025.0",
  method: "GET",
  path: "/docgen_template_jobs/{template_id}",
  tag: TAG,
  summary: "List the jobs of a template",
  needs: "read",
  versioned: true,
  params: { template_id: "The id of the template, which is the id of its file." },
  query: z.object(pageQuery),
  responses: { 200: { description: "A page of jobs, newest batch first.", schema: jobs } },
  errors: [404],
  async run(call) {
    const { file } = await templateOf(call, "or file");
    const scope = ["template jobs", file.id];
    const page = pageRequest(call.query, ...scope);
    const { items, nextMarker } = await call.service.engine.listJobs({
      tenant: call.who.enterprise,
      template: file.id,
      limit: page.limit,
      maxBytes: call.service.limits.answerBytes,
      ...(page.marker === undefined ? {} : { marker: page.marker }),
    });
    return { status: 200, body: pageAnswer(page, items.map(wireJob), nextMarker, ...scope) };
  },
});
