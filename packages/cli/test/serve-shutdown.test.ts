/** A service stops on one signal. `serve-shutdown.chaos.test.ts` tests two signals. */
import { describe, expect, test } from "vitest";
import { busyService, expectTheRest, LATE } from "./support/busy-service.ts";
import { descendantsOf, isAlive, makePlace, until } from "./support/cli.ts";
import { statusesIn, wire } from "./support/raw.ts";
import { serveProcess, TOKEN } from "./support/serve.ts";

describe.skipIf(process.platform !== "linux")("A service that receives a stop signal", () => {
  test("answers running requests, accepts no new work, and leaves the rest to the next start", async () => {
    const { place, service, folder, batches, upload, finishUpload } = await busyService();
    const probe = await wire(service.port);
    await probe.write("GET /readyz HTTP/1.1\r\nhost: service\r\n");
    const writer = await wire(service.port);
    const body = '{"name":"new","parent":{"id":"0"}}';
    await writer.write("POST /2.0/folders HTTP/1.1\r\nhost: service\r\n");
    // The upload and these two requests must be running before the signal.
    expect((await service.ask("/readyz")).status).toBe(200);
    const processes = descendantsOf(service.process.pid);
    expect(processes.length).toBeGreaterThan(0);
    const ended = service.stop();
    await until("it reports the shutdown", () => service.stderr().includes("Shutting down"));
    await probe.write("\r\n");
    await writer.write(
      [
        `authorization: Bearer ${TOKEN}`,
        "content-type: application/json",
        `content-length: ${body.length}`,
        "",
        body,
      ].join("\r\n"),
    );
    await finishUpload();
    expect(await probe.closed()).toMatch(/^HTTP\/1\.1 503 .*"code":"unavailable"/s);
    expect(await writer.closed()).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n/is);
    expect(statusesIn(await upload.closed())).toEqual([201]);
    await expect(service.ask("/readyz")).rejects.toThrow();
    const { code, signal, stderr } = await ended;
    expect([code, signal]).toEqual([0, null]);
    expect(stderr).not.toMatch(/error|bug/i);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(await place.names("tmp")).toEqual([]);
    const next = await expectTheRest(place, folder, batches);
    const { body: root } = await next.ask("/2.0/folders/0/items");
    expect(root.entries.map(({ name }: { name: string }) => name)).toContain(LATE);
  }, 240_000);

  test("ends in order when its terminal is closed, even if SIGHUP comes twice", async () => {
    const service = await serveProcess(await makePlace());
    service.process.kill("SIGHUP");
    service.process.kill("SIGHUP");
    const { code, signal, stderr } = await service.ended;
    expect([code, signal]).toEqual([0, null]);
    expect(stderr).toContain("Shutting down");
  });

  test("keeps answering while it drains, but rejects new work", async () => {
    const place = await makePlace();
    const service = await serveProcess(place, { args: ["--drain", "600"] });
    service.process.kill("SIGTERM");
    await until("it reports the shutdown", () => service.stderr().includes("Shutting down"));
    expect((await service.ask("/readyz")).status).toBe(503);
    expect((await service.ask("/2.0/folders/0/items")).status).toBe(200);
    const made = await service.ask("/2.0/folders", { body: { name: "a", parent: { id: "0" } } });
    expect(made.status).toBe(503);
  });
});
