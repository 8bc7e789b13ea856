/** Tests slow documents of one tenant, with few lanes or with lanes that end. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { libreOffice } from "../src/index.ts";
import { docx, hangingDocx, picture, textDocx } from "./docx.ts";
import {
  closing,
  fakeSoffice,
  lanesIn,
  REAL_SOFFICE,
  sharedOffice,
  slowTest,
  stoppedClock,
  testFolder,
  until,
  untilHanging,
} from "./laboratory.ts";
import { warm } from "./supervised.ts";
import { sendSlow } from "./tenants.ts";

/** The default of `deadlineMs`. */
const DEADLINE_MS = 60_000;

const single = sharedOffice({ lanes: 1 });
const double = sharedOffice({ lanes: 2 });

function slowDocuments(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, number) => hangingDocx(`Slow ${number}`));
}

/** Creates a document with a picture of a billion rectangles in a kilobyte. */
function countlessDocx(text: string): Uint8Array {
  let shapes = '<rect id="s0" width="1" height="1"/>';
  for (let level = 1; level <= 9; level++) {
    const uses = `<use href="#s${level - 1}" xlink:href="#s${level - 1}" x="1"/>`.repeat(10);
    shapes += `<g id="s${level}">${uses}</g>`;
  }
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
    `width="100" height="100"><title>${text}</title>${shapes}</svg>`;
  return docx({
    body: picture("svg"),
    relationships: [{ id: "svg", type: "image", target: "media/image.svg" }],
    parts: { "word/media/image.svg": svg },
  });
}

slowTest("a single lane converts another tenant's document after a slow one", async () => {
  await warm(single, 1);
  const pass = stoppedClock();
  const slow = sendSlow(single, slowDocuments(4));
  const { pid } = await untilHanging(single.tempDir);
  const other = single.convert(textDocx("Other"), { tenant: "other" });
  await pass(DEADLINE_MS);
  expect((await other).pages).toBe(1);
  expect(slow.ended()).toBe(1);
  await untilHanging(single.tempDir, [pid]);
  const gone = slow.giveUp();
  await pass(2_000);
  await gone;
});

slowTest("endless pictures do not keep another tenant waiting", async () => {
  await warm(double, 2);
  const documents = Array.from({ length: 6 }, (_, number) => countlessDocx(`${number}`));
  const slow = sendSlow(double, documents);
  await untilHanging(double.tempDir);
  for (let number = 0; number < 10; number++) {
    const { pages } = await double.convert(textDocx(`Other ${number}`), { tenant: "other" });
    expect(pages).toBe(1);
  }
  expect(slow.ended()).toBe(0);
  await slow.giveUp();
});

slowTest(
  "a lane that a tenant's document has ended counts as the tenant's until it is replaced",
  async () => {
    const tempDir = await testFolder();
    const starts = `while [ ! -e '${tempDir}/go' ]; do sleep 0.02; done`;
    const script = `case "$*" in *lane-3/*) ${starts};; esac\nexec ${REAL_SOFFICE} "$@"`;
    const sofficePath = await fakeSoffice(tempDir, script);
    await using office = closing(libreOffice({ lanes: 2, tempDir, sofficePath, cacheMb: 0 }));
    const shared = { tempDir, convert: office.convert.bind(office), close: async () => {} };
    await warm(shared, 2);
    const slow = sendSlow(shared, slowDocuments(3));
    const { pid } = await untilHanging(tempDir);
    process.kill(pid, "SIGSEGV");
    await until("another lane starts", () =>
      lanesIn(tempDir).some(({ command }) => command.includes("lane-3")),
    );
    for (let number = 0; number < 3; number++) {
      const { pages } = await office.convert(textDocx(`Other ${number}`), { tenant: "other" });
      expect(pages).toBe(1);
    }
    await writeFile(join(tempDir, "go"), "");
    await untilHanging(tempDir, [pid]);
    expect(slow.ended()).toBe(0);
    await slow.giveUp();
  },
);
