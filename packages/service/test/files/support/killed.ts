/**
 * A process that uploads, creates, renames and removes files until it is killed, and reports the acknowledged requests.
 * It starts when its standard input has data.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { openFileLimit } from "./disk.ts";
import { ANNA, folder, stream, text } from "./place.ts";

await once(process.stdin, "data");
const { files } = openFileLimit(process.argv[2] ?? "");

function tell(what: "there" | "gone", id: string, content: string): void {
  process.stdout.write(`${what} ${id} ${content}\n`);
}

async function work(): Promise<void> {
  for (;;) {
    const content = randomUUID();
    const uploaded = await files.upload(ANNA, "0", `${content}.docx`, stream(content));
    tell("there", uploaded.id, content);
    const view = files.storageOf(ANNA.tenant);
    const { ref } = await view.create(folder("0"), `${content}.pdf`, text(content));
    tell("there", ref.id, content);
    const next = randomUUID();
    tell("gone", uploaded.id, content); // from now on, the file may have either content
    await files.uploadVersion(ANNA, uploaded.id, stream(next));
    tell("there", uploaded.id, next);
    await files.rename(ANNA.tenant, ref.id, `${next}.pdf`);
    tell("gone", ref.id, content);
    await files.remove(ANNA.tenant, ref.id);
  }
}

await Promise.all(Array.from({ length: 4 }, work));
