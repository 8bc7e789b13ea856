import { describe, expect, test } from "vitest";
import { testService } from "../support/service.ts";

/** Returns a body with these parts. */
function multipart(...parts: readonly (readonly [string, string])[]): RequestInit {
  const body = parts.map(
    ([name, content]) =>
      `--xx\r\ncontent-disposition: form-data; name=${name}; filename=a.docx\r\n\r\n${content}\r\n`,
  );
  return {
    method: "POST",
    headers: {
      authorization: "Bearer token-of-ann",
      "content-type": "multipart/form-data; boundary=xx",
    },
    body: `${body.join("")}--xx--\r\n`,
  };
}

const NAMED = ["attributes", '{"name":"a.docx","parent":{"id":"0"}}'] as const;

describe("A rejected upload", () => {
  // The test fails if an error has no handler, because in a service that would end the process.
  test.each([
    ["for its name, with a small file", [NAMED, ["file", "x"]], 409],
    ["for its name, with a large file", [NAMED, ["file", "x".repeat(5_000_000)]], 409],
    ["for its name, with two files", [NAMED, ["file", "x"], ["file", "y"]], 409],
    [
      "for its attributes",
      [
        ["attributes", "{"],
        ["file", "x"],
      ],
      400,
    ],
    [
      "for a duplicate key in its attributes",
      [
        ["attributes", '{"name":"b.docx","name":"c.docx","parent":{"id":"0"}}'],
        ["file", "x"],
      ],
      400,
    ],
    ["for the order of its parts", [["file", "x".repeat(500_000)], NAMED], 400],
    ["for the missing file", [NAMED], 400],
    [
      "for its folder",
      [
        ["attributes", '{"name":"b","parent":{"id":"none"}}'],
        ["file", "x"],
      ],
      404,
    ],
  ] as const)("%s leaves nothing that could end the service", async (_, parts, status) => {
    const service = await testService();
    await service.upload("a.docx", new Uint8Array([1]));
    const response = await service.fetch("/2.0/files/content", { raw: multipart(...parts) });
    expect(response.status).toBe(status);
    await response.body?.cancel();
    // Unhandled errors are reported in a later turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
