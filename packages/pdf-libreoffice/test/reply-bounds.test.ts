import { expect, test } from "vitest";
import { boundedReply } from "../src/process/messages.ts";

const LONG = "b".repeat(180_000);

test("a lane cuts its reports to the limits of a job", () => {
  const warnings = Array.from({ length: 1_000 }, (_, index) => ({
    severity: "warning" as const,
    code: "font_missing",
    message: `The font '${LONG}${index}' is not there.`,
    template: { part: LONG, near: LONG },
  }));
  const bytes = new Uint8Array(3);
  const converted = boundedReply({ type: "converted", bytes, pages: 1, warnings, joined: false });
  expect(converted).toMatchObject({ type: "converted", bytes, pages: 1 });
  expect(JSON.stringify(converted).length).toBeLessThan(66_000);
  const failed = boundedReply({
    type: "failed",
    refused: true,
    problem: `wants '${LONG}'`,
    detail: LONG,
    diagnostics: warnings,
  });
  expect(failed).toMatchObject({ type: "failed", refused: true });
  expect(JSON.stringify(failed).length).toBeLessThan(71_000);
  expect(boundedReply({ type: "elsewhere" })).toEqual({ type: "elsewhere" });
});
