import { expect, test } from "vitest";
import { rawForm, rawStream, textField } from "../../pdf/test/support/pdf.ts";
import { pool } from "./support/pool.ts";
import { ASKING, LETTER } from "./support/pool-program.ts";

/** Too long to be kept by the pool, so that each process that compiles it reads it again. */
const LONG = rawForm([textField("name")], { objects: [rawStream("", "x".repeat(1_200_000))] });

test("a document goes to an idle process that has compiled its template", async () => {
  await using renderer = pool({ processes: 2 });
  let reads = 0;
  const template = renderer.open(LONG, {
    readAgain: async () => {
      reads += 1;
      return LONG;
    },
  });
  // The first process is occupied until the second one has compiled the template.
  const file = Promise.withResolvers<Uint8Array>();
  const asked = Promise.withResolvers<void>();
  const first = renderer
    .open(LETTER)
    .render(ASKING, {
      readFile: () => {
        asked.resolve();
        return file.promise;
      },
    })
    .catch(() => {});
  await asked.promise;
  await template.render({ name: "A" });
  expect(renderer.processes()).toHaveLength(2);
  file.reject(new Error("No file."));
  await first;
  for (const name of ["B", "C", "D"]) expect((await template.render({ name })).pages).toBe(1);
  expect(reads).toBe(1);
});
