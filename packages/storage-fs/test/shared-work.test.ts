import { expect, test } from "vitest";
import { SharedWork } from "../src/shared-work.ts";

/** Creates work whose runs are ended by the test, and a list of the runs that have begun. */
function byHand() {
  const begun: { readonly key: string; readonly end: (error?: Error) => void }[] = [];
  const work = new SharedWork((key) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const end = (error?: Error): void => (error ? reject(error) : resolve(`${key} done`));
    begun.push({ key, end });
    return promise;
  });
  return { begun, work };
}

const turn = () => new Promise(setImmediate);

test("callers before a run begins share that run, and later callers share the next run", async () => {
  const { begun, work } = byHand();
  const early = [work.do("a"), work.do("a")];
  await turn();
  expect(begun).toHaveLength(1);
  const late = [work.do("a"), work.do("a"), work.do("a")];
  await turn();
  expect(begun).toHaveLength(1); // one after the other
  begun[0]?.end();
  expect(await Promise.all(early)).toEqual(["a done", "a done"]);
  await turn();
  expect(begun).toHaveLength(2);
  begun[1]?.end();
  expect(await Promise.all(late)).toHaveLength(3);
  const again = work.do("a");
  await turn();
  begun[2]?.end();
  await again;
  expect(begun).toHaveLength(3);
});

test("a failure rejects the callers of that run only", async () => {
  const { begun, work } = byHand();
  const first = work.do("a");
  await turn();
  const second = work.do("a");
  begun[0]?.end(new Error("no"));
  await expect(first).rejects.toThrow("no");
  await turn();
  begun[1]?.end();
  expect(await second).toBe("a done");
});

test("runs of other keys do not wait", async () => {
  const { begun, work } = byHand();
  const all = [work.do("a"), work.do("b")];
  await turn();
  expect(begun.map(({ key }) => key)).toEqual(["a", "b"]);
  for (const { end } of begun) end();
  expect(await Promise.all(all)).toEqual(["a done", "b done"]);
});
