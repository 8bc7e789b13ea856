import { randomUUID } from "node:crypto";
import type { NewBatch, NewJob } from "@quire/contracts";

/** Returns a batch with the given parts, and default values for the others. */
export function newBatch(parts: Partial<NewBatch> = {}): NewBatch {
  return {
    id: randomUUID(),
    tenant: "tenant",
    weight: 1,
    caller: null,
    idempotencyKey: null,
    template: { type: "file", id: "letter.docx", version: "1" },
    templateBytes: Buffer.from("a template"),
    folder: { type: "folder", id: "out" },
    outputType: "docx",
    needsConverter: false,
    onConflict: "rename",
    withEvents: false,
    settings: "{}",
    trace: null,
    ...parts,
  };
}

/** Returns a job that writes `NAME.docx`. `bytes`: its data, as JSON. */
export function newJob(name: string, bytes: Uint8Array = Buffer.from("{}")): NewJob {
  const input = { encoding: "json", bytes, locale: null, timeZone: null } as const;
  return { requestedName: name, fileName: `${name}.docx`, input, failure: null };
}
