import { QuireError } from "@quire/core/host";
import { z } from "zod";
import { pageQuery } from "../schemas/common.ts";
import { job, jobs, jobsFull } from "../schemas/docgen.ts";
import { wireJob, wireJobsFull } from "../wire/jobs.ts";
import { orNull } from "../wire/or-null.ts";
import { operation } from "./doc-gen.ts";
import { templateOf } from "./find-template.ts";
import { listedJobs } from "./listed-jobs.ts";

const TAG = "Doc Gen";

export const listJobs = operation({
  id: "get_docgen_jobs_v2025.0",
  method: "GET",
  path: "/docgen_jobs",
  tag: TAG,
  summary: "List all of your jobs",
  needs: "read",
  query: z.object(pageQuery),
  responses: {
    200: { description: "A page of jobs, newest batch first.", schema: jobsFull },
  },
  async run(call) {
    const { service, who } = call;
    const scope = ["jobs", who.enterprise, who.user];
    return listedJobs(call, scope, { caller: who.user }, (items) =>
      wireJobsFull(service.engine, items),
    );
  },
});

export const getJob = operation({
  id: "get_docgen_jobs_id_v2025.0",
  method: "GET",
  path: "/docgen_jobs/{job_id}",
  tag: TAG,
  summary: "Get a job",
  needs: "read",
  params: { job_id: "The id of the job." },
  responses: { 200: { description: "The job.", schema: job } },
  errors: [404],
  async run({ params, service, who }) {
    const id = params.job_id ?? "";
    const found = await orNull(service.engine.getJob(id));
    const batch = found && (await orNull(service.engine.getBatch(found.batchId)));
    if (found !== null && batch?.tenant === who.enterprise) {
      return { status: 200, body: wireJob(found) };
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
  params: { template_id: "The id of the template, which is the id of its file." },
  query: z.object(pageQuery),
  responses: { 200: { description: "A page of jobs, newest batch first.", schema: jobs } },
  errors: [404],
  async run(call) {
    const file = await templateOf(call, "or file");
    return listedJobs(call, ["template jobs", file.id], { template: file.id });
  },
});
