import { memoryStorage } from "@quire/core";
import { expect, test } from "vitest";
import { documentState } from "../src/run/documents.ts";

test("a document is compared with its hash in one read, without another call of the storage", async () => {
  const storage = memoryStorage({ files: { "a.docx": Buffer.from("one") } });
  const calls: string[] = [];
  const counted = new Proxy(storage, {
    get(target, key) {
      calls.push(String(key));
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const output = {
    storage: counted,
    folder: { type: "folder", id: "." },
    path: "/out",
    isBucket: false,
    journal: "/out.quire.db",
    prepare: async () => null,
    tidy: async () => {},
  } as const;
  const stored = await storage.read({ type: "file", id: "a.docx" });
  expect(await documentState(output, "a.docx", stored.sha256)).toBe("unchanged");
  expect(calls).toEqual(["read"]);
  expect(await documentState(output, "a.docx", "0".repeat(64))).toBe("changed");
  expect(await documentState(output, "b.docx", stored.sha256)).toBe("missing");
  expect(await documentState(output, "../a.docx", stored.sha256)).toBe("unreadable");
});
