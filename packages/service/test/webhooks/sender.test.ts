import { QuireError, type WebhookRecord } from "@quire/core";
import { WebhooksManager } from "box-node-sdk/managers";
import { describe, expect, test } from "vitest";
import { createWebhookSender, type WebhookSender } from "../../src/webhooks/sender.ts";
import type { WebhookSenderOptions } from "../../src/webhooks/sender-options.ts";
import { WEBHOOK_TRIGGERS, type WebhookEvent } from "../../src/webhooks/webhook-event.ts";
import { rawReceiver, receiver, until } from "./support/receiver.ts";
import { webhookStore } from "./support/store.ts";

const KEYS = { primary: "one", secondary: "two" };
const FOLDER = { type: "folder", id: "7" } as const;
const CANARY = "CANARY-世界";
const MINUTE = 60_000;

function notice(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  return {
    tenant: "acme",
    trigger: "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
    eventId: "event-1",
    at: new Date(),
    createdBy: "user-1",
    targets: [{ type: "file", id: "3" }, FOLDER],
    source: { id: "3", type: "file", name: CANARY },
    additionalInfo: { batch_id: "b" },
    ...changes,
  };
}

function webhook(id: string, port: number, changes: Partial<WebhookRecord> = {}): WebhookRecord {
  const address = `http://127.0.0.1:${port}/${id}?token=${CANARY}`;
  return {
    id,
    tenant: "acme",
    target: FOLDER,
    address,
    triggers: WEBHOOK_TRIGGERS,
    createdBy: "u",
    createdAt: 0,
    ...changes,
  };
}

/** Returns a clock that only the test moves. */
function clock(at = Date.now()) {
  const moved = { at, now: () => moved.at };
  return moved;
}

function logger() {
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, fields: { ...fields }, message });
  };
  return { lines, info: at("info"), warn: at("warn"), error: at("error") };
}

type Sending = WebhookSender & AsyncDisposable;

function sending(
  options: Pick<WebhookSenderOptions, "store"> & Partial<WebhookSenderOptions>,
): Sending {
  const timings = { pollMs: 5, ...options.timings };
  const sender = createWebhookSender({ keys: KEYS, allow: ["127.0.0.1"], ...options, timings });
  sender.start();
  return Object.assign(sender, { [Symbol.asyncDispose]: () => sender.close({ graceMs: 0 }) });
}

const aWhile = () => new Promise((resolve) => setTimeout(resolve, 60));

describe("a sender", () => {
  test("sends an event in the form of the official SDK, to each webhook that wants it", async () => {
    await using server = await receiver();
    const store = webhookStore();
    for (const [id, changes] of Object.entries({
      w1: {},
      w2: { target: { type: "file", id: "3" } },
      "other-tenant": { tenant: "other" },
      "other-target": { target: { type: "folder", id: "8" } },
      "other-trigger": { triggers: ["DOCGEN_DOCUMENT_GENERATION_FAILED"] },
    } as Record<string, Partial<WebhookRecord>>)) {
      await store.add(webhook(id, server.port, changes));
    }
    await using sender = sending({ store });
    await sender.notify([notice({ at: new Date("2026-01-31T12:00:00.900Z") })]);
    await until(() => sender.counts().delivered === 2);
    expect(server.received.map(({ path }) => path.split("?")[0]).sort()).toEqual(["/w1", "/w2"]);
    const [first, second] = server.received;
    expect(first?.headers["box-delivery-id"]).not.toBe(second?.headers["box-delivery-id"]);
    for (const { body, headers, path } of server.received) {
      expect(JSON.parse(body)).toEqual({
        type: "webhook_event",
        id: headers["box-delivery-id"],
        created_at: "2026-01-31T12:00:00+00:00",
        trigger: "DOCGEN_DOCUMENT_GENERATION_SUCCEEDED",
        webhook: { id: path.slice(1, 3), type: "webhook" },
        created_by: { type: "user", id: "user-1" },
        source: { id: "3", type: "file", name: CANARY },
        additional_info: { batch_id: "b" },
      });
      expect(headers["box-delivery-id"]).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      );
      expect(await WebhooksManager.validateMessage(body, headers, "one")).toBe(true);
      expect(
        await WebhooksManager.validateMessage(body, headers, "no", { secondaryKey: "two" }),
      ).toBe(true);
      expect(await WebhooksManager.validateMessage(`${body} `, headers, "one")).toBe(false);
      expect(
        await WebhooksManager.validateMessage(body, headers, "two", { secondaryKey: "one" }),
      ).toBe(false);
    }
    expect(store.open()).toBe(0);
  });

  test("stores an event for many webhooks in slices, and lets other work run in between", async () => {
    const store = webhookStore();
    for (let n = 0; n < 250; n += 1) await store.add(webhook(`w${n}`, 1));
    const slices: number[] = [];
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (slices.length < 3) setImmediate(turn);
    };
    const seen: number[] = [];
    const watched = {
      ...store,
      async enqueue(deliveries: Parameters<typeof store.enqueue>[0]) {
        slices.push(deliveries.length);
        seen.push(turns);
        await store.enqueue(deliveries);
      },
    };
    setImmediate(turn);
    await createWebhookSender({ store: watched, keys: KEYS }).notify([notice()]);
    expect(slices).toEqual([100, 100, 50]);
    expect(new Set(seen).size).toBe(3);
    expect(store.open()).toBe(250);
  });

  test("asks the store once for all events of a group, and stores their deliveries together", async () => {
    const store = webhookStore();
    await store.add(webhook("w1", 1));
    await store.add(webhook("w2", 1, { tenant: "other" }));
    const asked: string[] = [];
    const stored: number[] = [];
    const watched = {
      ...store,
      wanting: (...query: Parameters<typeof store.wanting>) => {
        asked.push(query[0]);
        return store.wanting(...query);
      },
      enqueue: (deliveries: Parameters<typeof store.enqueue>[0]) => {
        stored.push(deliveries.length);
        return store.enqueue(deliveries);
      },
    };
    const events = Array.from({ length: 90 }, (_, n) =>
      notice({ eventId: `event-${n}`, tenant: n % 3 === 0 ? "other" : "acme" }),
    );
    const sender = createWebhookSender({ store: watched, keys: KEYS });
    await sender.notify(events);
    expect(asked.toSorted()).toEqual(["acme", "other"]);
    expect(stored).toEqual([90]);
    await sender.notify([]);
    await sender.notify([notice({ tenant: "nobody" })]);
    expect(stored).toEqual([90]);
    expect(store.open()).toBe(90);
  });

  test("the next attempt does not wait until the outcome of the last one is stored", async () => {
    await using server = await receiver();
    const store = webhookStore();
    await store.add(webhook("w1", server.port));
    const held = Promise.withResolvers<void>();
    const slow = {
      ...store,
      settle: async (...outcome: Parameters<typeof store.settle>) => {
        await held.promise;
        await store.settle(...outcome);
      },
    };
    await using sender = sending({ store: slow });
    await sender.notify(Array.from({ length: 20 }, (_, n) => notice({ eventId: `event-${n}` })));
    await until(() => server.received.length === 20);
    expect(store.open()).toBe(20);
    held.resolve();
    await until(() => store.open() === 0);
  });

  test("sends an event once, even if it is reported several times", async () => {
    await using server = await receiver();
    const store = webhookStore();
    await store.add(webhook("w1", server.port));
    await using sender = sending({ store });
    await sender.notify([notice()]);
    await Promise.all([sender.notify([notice()]), sender.notify([notice()])]);
    await until(() => server.received.length > 0);
    await sender.notify([notice()]);
    await sender.notify([notice({ eventId: "event-2" })]);
    await until(() => sender.counts().delivered === 2);
    await aWhile();
    expect(server.received).toHaveLength(2);
  });

  test("holds deliveries of a suspended tenant, and sends them when it is resumed", async () => {
    const time = clock();
    await using server = await receiver();
    const store = webhookStore(time.now);
    await store.add(webhook("w1", server.port));
    await store.add(webhook("w2", server.port, { tenant: "other" }));
    const held = new Set(["acme"]);
    let asked = 0;
    const isHeld = async (tenant: string): Promise<boolean> => {
      asked += 1;
      return held.has(tenant);
    };
    await using sender = sending({ store, now: time.now, isHeld });
    await sender.notify([notice()]);
    await sender.notify([notice({ tenant: "other" })]);
    await until(() => server.received.length === 1 && asked === 2);
    expect(server.received[0]?.path).toContain("w2");
    // A delivery that is on hold is kept, and is sent even after its retry period.
    time.at += 200 * MINUTE;
    await until(() => asked === 3);
    expect(store.open()).toBe(1);
    held.clear();
    time.at += 6 * MINUTE;
    await until(() => sender.counts().delivered === 2);
    expect(store.open()).toBe(0);
  });

  test("retries with growing pauses, with new signatures under the same id, until its time limit", async () => {
    const time = clock();
    const moments: number[] = [];
    await using server = await receiver({
      answer: (response) => {
        moments.push(time.at);
        response.writeHead(503).end();
      },
    });
    const store = webhookStore(time.now);
    await store.add(webhook("w1", server.port));
    const log = logger();
    await using sender = sending({ store, now: time.now, logger: log });
    await sender.notify([notice({ at: new Date(time.at) })]);
    const begin = time.at;
    for (let tries = 1; sender.counts().givenUp === 0; tries += 1) {
      await until(() => log.lines.length === tries);
      const next = log.lines.at(-1)?.fields.next_attempt_at;
      if (typeof next === "number") time.at = next;
    }
    const pauses = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
    for (const [index, pause] of pauses.entries()) {
      const usual = Math.min(10_000 * 2 ** index, 15 * MINUTE);
      expect(pause).toBeGreaterThanOrEqual(usual * 0.8);
      expect(pause).toBeLessThanOrEqual(usual * 1.2);
    }
    expect(pauses.length).toBeGreaterThan(10);
    expect((moments.at(-1) ?? 0) - begin).toBeGreaterThan(95 * MINUTE);
    expect((moments.at(-1) ?? 0) - begin).toBeLessThanOrEqual(120 * MINUTE);
    const headers = server.received.map((received) => received.headers);
    const differing = (name: string) => new Set(headers.map((one) => one[name])).size;
    expect(differing("box-delivery-id")).toBe(1);
    expect(differing("box-delivery-timestamp")).toBe(moments.length);
    expect(differing("box-signature-primary")).toBe(moments.length);
    expect(log.lines.map(({ fields }) => fields.attempt)).toEqual(
      moments.map((_, index) => index + 1),
    );
    expect(log.lines.at(-1)).toMatchObject({
      level: "error",
      fields: { reason: "bad_status", status: 503 },
    });
    expect(sender.counts()).toMatchObject({ delivered: 0, failed: moments.length, givenUp: 1 });
    expect(store.open()).toBe(0);
  });

  test("stops after the first successful attempt", async () => {
    const time = clock();
    await using server = await receiver({
      answer: (response) => response.writeHead(server.received.length === 1 ? 302 : 200).end(),
    });
    const store = webhookStore(time.now);
    await store.add(webhook("w1", server.port));
    await using sender = sending({ store, now: time.now });
    await sender.notify([notice()]);
    await until(() => sender.counts().failed === 1);
    time.at += MINUTE;
    await until(() => sender.counts().delivered === 1);
    expect(store.open()).toBe(0);
  });

  test("tries an event once even if it was stored beyond its time limit", async () => {
    await using server = await receiver();
    const time = clock();
    const store = webhookStore(time.now);
    await store.add(webhook("w1", server.port));
    const stopped = createWebhookSender({ store, keys: KEYS, now: time.now });
    await stopped.notify([notice()]);
    await stopped.close();
    time.at += 180 * MINUTE;
    await using sender = sending({ store, now: time.now });
    await until(() => sender.counts().delivered === 1);
  });

  test("checks the list of hosts for each attempt", async () => {
    await using server = await receiver();
    const store = webhookStore();
    await store.add(webhook("w1", server.port));
    await store.add(
      webhook("w2", server.port, { address: `https://hooks.example:${server.port}/` }),
    );
    const log = logger();
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    await using sender = sending({ store, allow: [], logger: log, resolve });
    await sender.notify([notice()]);
    await until(() => sender.counts().failed === 2);
    expect(log.lines.map(({ fields }) => fields.reason)).toEqual([
      "address_refused",
      "address_refused",
    ]);
    expect(server.connections).toEqual([]);
  });

  test("sends nothing to a removed webhook, and to the new address of a changed one", async () => {
    const time = clock();
    await using old = await receiver({ answer: (response) => response.writeHead(500).end() });
    await using current = await receiver();
    const store = webhookStore(time.now);
    for (const id of ["gone", "moved"]) await store.add(webhook(id, old.port));
    await using sender = sending({ store, now: time.now });
    await sender.notify([notice()]);
    await until(() => sender.counts().failed === 2);
    await store.remove("acme", "gone");
    await store.update("acme", "moved", { address: `http://127.0.0.1:${current.port}/` });
    time.at += MINUTE;
    await until(() => sender.counts().delivered === 1);
    await aWhile();
    expect([old.received.length, current.received.length]).toEqual([2, 1]);
  });

  test("sends no queued delivery to a webhook that was removed", async () => {
    await using silent = await rawReceiver(() => {});
    const store = webhookStore();
    await store.add(webhook("w1", silent.port));
    await using sender = sending({ store, timings: { attemptMs: 300 } });
    for (let n = 0; n < 9; n += 1) await sender.notify([notice({ eventId: `event-${n}` })]);
    await until(() => sender.counts().waiting === 6);
    await store.remove("acme", "w1");
    await until(() => sender.counts().failed === 3 && sender.counts().waiting === 0);
    expect(silent.connections).toHaveLength(3);
  });

  test("does not let dead receivers delay the others", async () => {
    await using silent = await rawReceiver(() => {});
    await using server = await receiver();
    const store = webhookStore();
    const dead = { type: "folder", id: "dead" } as const;
    for (const id of ["d1", "d2"]) await store.add(webhook(id, silent.port, { target: dead }));
    await store.add(webhook("w1", server.port));
    await using sender = sending({ store });
    for (let n = 0; n < 100; n += 1) {
      await sender.notify([notice({ targets: [dead], eventId: `dead-${n}` })]);
    }
    await until(() => silent.connections.length === 6);
    for (let n = 0; n < 20; n += 1) await sender.notify([notice({ eventId: `event-${n}` })]);
    await until(() => sender.counts().delivered === 20);
    expect(sender.counts()).toMatchObject({ failed: 0, running: 6 });
    expect(silent.connections).toHaveLength(6);
  });

  test("works through a long queue with another webhook behind it", async () => {
    await using silent = await rawReceiver(() => {});
    await using server = await receiver();
    const store = webhookStore();
    await store.add(webhook("d1", silent.port, { target: { type: "folder", id: "dead" } }));
    await store.add(webhook("w1", server.port));
    const waiting = createWebhookSender({ store, keys: KEYS });
    const dead = { targets: [{ type: "folder", id: "dead" } as const] };
    for (let n = 0; n < 3_000; n += 1)
      await waiting.notify([notice({ ...dead, eventId: `dead-${n}` })]);
    await waiting.notify([notice()]);
    await using sender = sending({ store });
    await until(() => sender.counts().delivered === 1);
    expect(sender.counts().waiting).toBeLessThanOrEqual(512);
  });

  test("continues where another sender was cut off", async () => {
    const time = clock();
    let isUp = false;
    await using server = await receiver({
      answer: (response) => isUp && response.writeHead(200).end(),
    });
    const store = webhookStore(time.now);
    await store.add(webhook("w1", server.port));
    const first = sending({ store, now: time.now });
    await first.notify([notice()]);
    await until(() => server.received.length === 1);
    await first.close({ graceMs: 10 });
    expect(first.counts()).toEqual({ delivered: 0, failed: 0, givenUp: 0, running: 0, waiting: 0 });
    expect(store.open()).toBe(1);
    isUp = true;
    await using second = sending({ store, now: time.now });
    await aWhile();
    expect(server.received).toHaveLength(1); // the lease of the first sender has not expired
    time.at += 3 * MINUTE;
    await until(() => second.counts().delivered === 1);
    const [before, after] = server.received;
    expect(after?.headers["box-delivery-id"]).toBe(before?.headers["box-delivery-id"]);
    expect(after?.body).toBe(before?.body);
  });

  test("shares a store with others, and each delivery is sent by one of them", async () => {
    await using server = await receiver();
    const store = webhookStore();
    await store.add(webhook("w1", server.port));
    await using one = sending({ store });
    await using two = sending({ store });
    for (let n = 0; n < 100; n += 1) await one.notify([notice({ eventId: `event-${n}` })]);
    await until(() => one.counts().delivered + two.counts().delivered === 100);
    expect(new Set(server.received.map(({ headers }) => headers["box-delivery-id"])).size).toBe(
      100,
    );
    expect(server.received).toHaveLength(100);
  });

  test("lets attempts end when it is closed, starts no other, and leaves nothing open", async () => {
    const before = process.getActiveResourcesInfo().length;
    {
      await using server = await receiver({
        answer: (response) => setTimeout(() => response.writeHead(200).end(), 50),
      });
      const store = webhookStore();
      await store.add(webhook("w1", server.port));
      const sender = sending({ store, timings: { pollMs: 60_000 } });
      for (let n = 0; n < 9; n += 1) await sender.notify([notice({ eventId: `event-${n}` })]);
      await until(() => server.received.length === 3);
      await Promise.all([sender.close(), sender.close()]);
      expect(sender.counts()).toMatchObject({ delivered: 3, running: 0, waiting: 0 });
      sender.start();
      await sender.notify([notice({ eventId: "event-9" })]);
      await aWhile();
      expect(server.received).toHaveLength(3);
      expect(store.open()).toBe(7);
      await createWebhookSender({ store, keys: KEYS }).close();
    }
    await until(() => process.getActiveResourcesInfo().length <= before);
  });

  test("continues after a temporary failure of its store, and logs it once", async () => {
    await using server = await receiver();
    const store = webhookStore();
    let isDown = true;
    let settled = 0;
    const failing = async (): Promise<never> => {
      throw new QuireError("job_store_failed", CANARY);
    };
    const shaky = {
      ...store,
      take: (...args: Parameters<typeof store.take>) => (isDown ? failing() : store.take(...args)),
      settle: (...args: Parameters<typeof store.settle>) => {
        settled += 1;
        return settled < 3 ? failing() : store.settle(...args);
      },
    };
    await store.add(webhook("w1", server.port));
    const log = logger();
    await using sender = sending({ store: shaky, logger: log });
    await sender.notify([notice()]);
    await aWhile();
    expect(log.lines).toEqual([
      { level: "error", fields: { code: "job_store_failed" }, message: expect.any(String) },
    ]);
    isDown = false;
    await until(() => store.open() === 0);
    expect(server.received).toHaveLength(1);
    const enqueue = failing;
    await using refusing = sending({ store: { ...store, enqueue } });
    await expect(refusing.notify([notice({ eventId: "x" })])).rejects.toMatchObject({
      code: "job_store_failed",
    });
  });

  test("never logs the content, the address or the key of a delivery", async () => {
    const time = clock();
    await using server = await receiver({
      answer: (response) =>
        response.writeHead(server.received.length > 1 ? 500 : 200, { "x-a": "CANARY" }).end(CANARY),
    });
    const store = webhookStore(time.now);
    const log = logger();
    await store.add(webhook("w1", server.port));
    await store.add(webhook("w2", server.port));
    await store.add(
      webhook("w3", server.port, { address: `https://${CANARY}@10.0.0.1/${CANARY}` }),
    );
    const keys = { primary: `${CANARY}1`, secondary: `${CANARY}2` };
    await using sender = sending({ store, keys, logger: log, now: time.now });
    await sender.notify([notice()]);
    await until(() => log.lines.length === 3);
    time.at += 180 * MINUTE;
    await until(() => sender.counts().givenUp === 2);
    expect(log.lines.map(({ level }) => level).sort()).toEqual([
      "error",
      "error",
      "info",
      "warn",
      "warn",
    ]);
    const told = JSON.stringify(log.lines);
    for (const secret of ["CANARY", "127.0.0.1", "10.0.0.1", "b_id"])
      expect(told).not.toContain(secret);
    for (const { fields } of log.lines) {
      expect(fields).toMatchObject({
        webhook_id: expect.any(String),
        delivery_id: expect.any(String),
        attempt: expect.any(Number),
      });
      for (const name of Object.keys(fields)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
  });

  test("is not created with invalid options", () => {
    const store = webhookStore();
    for (const options of [
      { keys: { primary: "" } },
      { keys: { primary: "a", secondary: "" } },
      { keys: KEYS, concurrency: 0 },
      { keys: KEYS, concurrency: 1.5 },
      { keys: KEYS, allow: ["10/8"] },
    ]) {
      expect(() => createWebhookSender({ store, ...options })).toThrow(
        expect.objectContaining({ code: "invalid_request", message: expect.stringMatching(/\.$/) }),
      );
    }
  });
});
