/** Tests two tenants of one service. The load of one does not block the other. */
import { spawn } from "node:child_process";
import { expect } from "vitest";
import { makePlace, until } from "./cli.ts";
import { docx } from "./docx.ts";
import { atEnd, batchOf, letters, serveProcess, TOKEN } from "./serve.ts";

/** A program that sends many concurrent requests until it is killed, and prints the number of responses. */
const FLOOD = `
  const [url, token, body, senders] = process.argv.slice(2);
  const headers = { authorization: "Bearer " + token, "service-version": "2025.0" };
  let answered = 0;
  const send = async (index) => {
    for (;;) {
      const isPost = index % 3 === 0;
      const answer = await fetch(url + (isPost ? "/2.0/docgen_batches" : "/2.0/docgen_jobs?limit=100"), {
        method: isPost ? "POST" : "GET",
        headers: { ...headers, ...(isPost ? { "content-type": "application/json" } : {}) },
        ...(isPost ? { body } : {}),
      });
      await answer.arrayBuffer();
      answered += 1;
      if (answered % 100 === 0) console.log(answered);
    }
  };
  await Promise.all(Array.from({ length: Number(senders) }, (_, index) => send(index)));
`;

/** The number of concurrent senders of a tenant, and of batches of the other tenant. */
interface Flood {
  readonly senders: number;
  readonly rounds: number;
}

/** Floods a service as one tenant, and expects that another tenant is served. */
export async function expectServedBesideFlood({ senders, rounds }: Flood): Promise<void> {
  const place = await makePlace();
  const service = await serveProcess(place, { args: ["--no-pdf", "--rate", "0"] });
  const owner = ["--user", "eve", "--enterprise", "flood", "--data", "data"];
  const token = (await place.quire(["token", "create", ...owner])).stdout.trim();
  const template = docx(["Dear {{name}}"]);
  const theirs = await service.upload("letter.docx", template, { token });
  const theirFolder = await service.folder("out", token);
  const body = JSON.stringify(batchOf(theirs, theirFolder, letters(5)));
  await place.write("flood.mjs", FLOOD);
  const flood = spawn(
    process.execPath,
    [place.path("flood.mjs"), service.url, token, body, String(senders)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  atEnd(() => {
    flood.kill("SIGKILL");
  });
  let answered = 0;
  flood.stdout.on("data", (text: Buffer) => {
    answered = Number(text.toString().trim().split("\n").at(-1));
  });
  await until("the flood has started", () => answered >= senders, 60);

  const file = await service.upload("letter.docx", template);
  const folder = await service.folder("out");
  for (let round = 0; round < rounds; round += 1) {
    const entries = letters(3, round * 3 + 1);
    const begun = await service.ask("/2.0/docgen_batches", {
      body: batchOf(file, folder, entries),
    });
    expect(begun.status).toBe(202);
    const listed = await service.ask(`/2.0/docgen_batch_jobs/${begun.body.id}`);
    expect([listed.status, listed.body.entries.length]).toEqual([200, 3]);
    const { counts } = await service.finished(begun.body.id);
    expect(counts.completed).toBe(3);
  }
  expect(await service.items(folder)).toHaveLength(3 * rounds);
  expect(flood.exitCode).toBeNull();
  // Tenants cannot see each other's files.
  const { status } = await service.ask(`/2.0/files/${theirs}`, { token: TOKEN });
  expect(status).toBe(404);
}
