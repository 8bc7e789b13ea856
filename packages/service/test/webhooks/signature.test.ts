import { WebhooksManager } from "box-node-sdk/managers";
import { describe, expect, test } from "vitest";
import { signatureOf, signedHeaders, timestampOf } from "../../src/webhooks/signature.ts";

const BODY = JSON.stringify({ name: "Übermäßig 世界 🦉 \u2028", path: "a/b" });

function headersOf(body = BODY, keys = { primary: "one", secondary: "two" }, at = Date.now()) {
  const signed = signedHeaders(keys, "delivery", Buffer.from(body), at);
  // The names are in lower case, as in Node's HTTP servers.
  return Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

describe("signed headers", () => {
  test("are accepted by the official SDK with either key", async () => {
    expect(await WebhooksManager.validateMessage(BODY, headersOf(), "one")).toBe(true);
    const secondaryKey = "two";
    expect(
      await WebhooksManager.validateMessage(BODY, headersOf(), "wrong", { secondaryKey }),
    ).toBe(true);
    expect(
      await WebhooksManager.validateMessage("{}", headersOf("{}"), "one", { secondaryKey }),
    ).toBe(true);
  });

  test("are accepted while the keys are rotated, one at a time", async () => {
    const accepts = async (primary: string, secondaryKey: string) =>
      expect(await WebhooksManager.validateMessage(BODY, headers, primary, { secondaryKey })).toBe(
        true,
      );
    let headers = headersOf(BODY, { primary: "new", secondary: "two" });
    await accepts("one", "two"); // a receiver that does not know the new key yet
    await accepts("new", "two");
    headers = headersOf(BODY, { primary: "new", secondary: "newer" });
    await accepts("new", "two");
  });

  test("have no secondary signature without a secondary key", () => {
    const headers = signedHeaders({ primary: "one" }, "delivery", Buffer.from(BODY), 0);
    expect(Object.keys(headers)).toEqual([
      "BOX-DELIVERY-ID",
      "BOX-DELIVERY-TIMESTAMP",
      "BOX-SIGNATURE-VERSION",
      "BOX-SIGNATURE-ALGORITHM",
      "BOX-SIGNATURE-PRIMARY",
    ]);
  });

  test("are rejected for another body, another key, another time and an old delivery", async () => {
    const refused = async (body: string, headers: Record<string, string>, key: string) =>
      expect(await WebhooksManager.validateMessage(body, headers, key)).toBe(false);
    await refused(BODY.replace("a/b", "a/c"), headersOf(), "one");
    await refused(BODY, headersOf(), "One");
    const other = timestampOf(Date.now() - 5_000);
    await refused(BODY, { ...headersOf(), "box-delivery-timestamp": other }, "one");
    await refused(BODY, headersOf(BODY, undefined, Date.now() - 3_600_000), "one");
  });

  test("have a time that is never in the future", () => {
    expect(timestampOf(Date.UTC(2026, 0, 31, 12, 0, 0, 999))).toBe("2026-01-31T12:00:00+00:00");
  });

  test("sign the body before the timestamp", () => {
    // HMAC-SHA256 of "{}2026-01-31T12:00:00+00:00" with the key "one", as computed by openssl.
    expect(signatureOf("one", Buffer.from("{}"), "2026-01-31T12:00:00+00:00")).toBe(
      "xwi8NYdbFJ+u9BF/hiiJMNElAWjLieDSrh7TzHcaK2Q=",
    );
  });
});
