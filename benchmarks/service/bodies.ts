/** The bodies of requests. */
import { randomUUID } from "node:crypto";
import type { Ask, GiantTask } from "./tasks.ts";

const ENTRY_BYTES = 1000;

/** Returns a batch of one document with 1 kB of data, which is different each time. */
export function smallBatch(template: string, folder: string): Ask {
  const customer = { name: "Ann Åkesson", number: "F-10007" };
  const filler = ENTRY_BYTES - JSON.stringify({ customer, filler: "" }).length;
  const body = JSON.stringify({
    ...around(template, folder),
    document_generation_data: [
      {
        generated_file_name: "letter [<id>]",
        user_input: { customer, filler: "word ".repeat(filler / 5) },
      },
    ],
  });
  return { method: "POST", path: "/2.0/docgen_batches", body };
}

/** Returns a batch of many documents with different names. */
export function giantBody({
  template,
  folder,
  entries,
}: Pick<GiantTask, "template" | "folder" | "entries">): string {
  const batch = randomUUID();
  return JSON.stringify({
    ...around(template, folder),
    document_generation_data: Array.from({ length: entries }, (_, entry) => ({
      generated_file_name: `${batch} ${entry}`,
      user_input: {
        customer: {
          name: `Ann ${entry}`,
          number: `F-${entry}`,
          address: "Priestpopple 21, Hexham",
        },
        membership: { tier: "Patron", amount: `£ ${entry}.00`, validUntil: "31 March 2027" },
      },
    })),
  });
}

function around(template: string, folder: string) {
  return {
    file: { type: "file", id: template },
    input_source: "api",
    destination_folder: { type: "folder", id: folder },
    output_type: "docx",
  };
}
