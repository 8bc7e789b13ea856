import { expect, test } from "vitest";
import { rawForm, rawStream, textField } from "../../pdf/test/support/pdf.ts";
import { pool } from "./support/pool.ts";
import { ASKING, LETTER } from "./support/pool-program.ts";

/** A template that is too large for the pool to keep, so that it is read again for each process that compiles it. */
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

test("a new template goes to the newest idle process and displaces no template of older ones", async () => {
  await using renderer = pool({ processes: 2, cachedTemplates: 2 });
  let reads = 0;
  const old = renderer.open(LONG, {
    readAgain: async () => {
      reads += 1;
      return LONG;
    },
  });
  await old.render({ name: "A" });
  // While the first process is occupied, the second one starts and compiles another template.
  const file = Promise.withResolvers<Uint8Array>();
  const asked = Promise.withResolvers<void>();
  const readFile = (): Promise<Uint8Array> => {
    asked.resolve();
    return file.promise;
  };
  const first = renderer
    .open(LETTER)
    .render(ASKING, { readFile })
    .catch(() => {});
  await asked.promise;
  await renderer.open(rawForm([textField("second")])).render({ second: "B" });
  expect(renderer.processes()).toHaveLength(2);
  file.reject(new Error("No file."));
  await first;
  await renderer.open(rawForm([textField("third")])).render({ third: "C" });
  await old.render({ name: "D" });
  expect(reads).toBe(1);
});
