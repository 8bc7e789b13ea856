import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { TEMPLATE_FILE } from "../support/place.ts";
import { TOKEN } from "./load.ts";

const TRIES = 20;

/** The service as clients see it. */
export interface Service {
  readonly url: string;
  /** The id of the template. */
  readonly template: string;
  /** The id of the folder of the documents. */
  readonly folder: string;
}

/** Uploads the template, creates the folder, and asks for events about the ends of its jobs. */
export async function setUp(url: string, receiver: string): Promise<Service> {
  const form = new FormData();
  form.append("attributes", JSON.stringify({ name: "letter.docx", parent: { id: "0" } }));
  form.append("file", new Blob([new Uint8Array(await readFile(TEMPLATE_FILE))]), "letter.docx");
  const uploaded = await ask({ url }, "/2.0/files/content", form);
  const parent = { id: "0" };
  const { id: folder } = await ask({ url }, "/2.0/folders", { name: "out", parent });
  await ask({ url }, "/2.0/webhooks", {
    target: { type: "folder", id: folder },
    address: receiver,
    triggers: ["DOCGEN_DOCUMENT_GENERATION_SUCCEEDED", "DOCGEN_DOCUMENT_GENERATION_FAILED"],
  });
  return { url, template: uploaded.entries[0].id, folder };
}

/** Sends a request, with a body as JSON or as a form, until the answer is good. Resolves with the body. */
export async function ask(
  { url }: Pick<Service, "url">,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: the checks notice a wrong shape
): Promise<any> {
  const isForm = body instanceof FormData;
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    "service-version": "2025.0",
    ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
  };
  const request =
    body === undefined
      ? { headers }
      : { method: "POST", headers, body: isForm ? body : JSON.stringify(body) };
  for (let tries = 1; ; tries++) {
    try {
      const answer = await fetch(`${url}${path}`, request);
      if (answer.ok) return await answer.json();
      throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    } catch (error) {
      if (tries === TRIES) throw error;
      await sleep(500);
    }
  }
}
