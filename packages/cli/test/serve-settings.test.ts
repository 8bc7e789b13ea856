/** The settings of `quire serve` from flags, the environment and a file, and how it reports them. */
import { once } from "node:events";
import { chmod, mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { describe, expect, test, vi } from "vitest";
import {
  keysIn,
  makePlace as makeBucket,
  START_TIMEOUT_MS,
} from "../../storage-s3/test/support/place.ts";
import { type Ended, makePlace, type Place } from "./support/cli.ts";
import { docx } from "./support/docx.ts";
import { atEnd, batchOf, letters, sdkClient, serve, TOKEN } from "./support/serve.ts";

const SERVE = ["serve", "--data", "data", "--port", "0", "--no-pdf"];
const SECRET = "this-is-a-secret-of-the-tests";

/** Starts a service, which must fail, and returns the result. */
function refused(
  place: Place,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return place.quire([...SERVE, ...args], { env });
}

/** Sets environment variables of this process until the test is over. */
function setEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  atEnd(() => void vi.unstubAllEnvs());
}

/** Returns the settings that the service printed. */
function settingsIn(stderr: string): string | undefined {
  return /^ +settings +(.*)$/m.exec(stderr)?.[1];
}

describe("Settings", () => {
  test("come from flags, then the environment, then the file, then defaults", async () => {
    const place = await makePlace();
    await place.write("quire.json", {
      maxEntries: 1,
      rate: 77,
      keepDays: 5,
      prefix: "file",
      pdf: false,
      webhookKey: SECRET,
      webhookAllow: ["hooks.internal", "10.0.0.0/8"],
    });
    const service = await serve(place, {
      args: ["--config", "quire.json", "--max-entries", "3", "--log-level", "error"],
      env: { QUIRE_MAX_ENTRIES: "2", QUIRE_RATE: "88", QUIRE_CONFIG: "/nowhere" },
    });
    const told = settingsIn(service.stderr())?.split(", ");
    expect(told).toEqual(
      expect.arrayContaining([
        "max-entries 3 (flag)",
        'log-level "error" (flag)',
        "rate 88 (environment)",
        "token set (environment)",
        "keep-days 5 (file)",
        'prefix "/file" (file)',
        "webhook-key set (file)",
        "webhook-allow hooks.internal,10.0.0.0/8 (file)",
        "no PDF",
      ]),
    );
    expect(told?.join()).not.toContain("grace");
    expect(service.url).toMatch(/\/file$/);
    // The settings must also take effect.
    const file = await service.upload("letter.docx", docx(["{{name}}"]));
    const folder = await service.folder("out");
    const begin = (count: number) =>
      service.ask("/2.0/docgen_batches", { body: batchOf(file, folder, letters(count)) });
    expect((await begin(3)).status).toBe(202);
    expect((await begin(4)).body.message).toContain("A batch may have at most 3 entries.");
    const { code, stdout, stderr } = await service.stop();
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).not.toContain(SECRET);
  }, 60_000);

  test("ignore empty variables, and QUIRE_NO_PDF can be yes or no", async () => {
    const place = await makePlace();
    const env = { QUIRE_MAX_BODY: "", QUIRE_TOKEN: "", QUIRE_NO_PDF: "0", QUIRE_SOFFICE: "" };
    const service = await serve(place, { env });
    expect(service.stderr()).toMatch(/^ +output +docx, pdf$/m);
    // The rows of the table are aligned.
    const names = [...service.stderr().matchAll(/^ {2}(?:API|for SDKs|docs|output|webhooks) +/gm)];
    expect(names.map(([name]) => name.length)).toEqual(Array(5).fill("  listens on".length + 2));
    await service.stop();
    const without = await serve(place, { env: { QUIRE_NO_PDF: "true" } });
    expect(without.stderr()).toMatch(/^ +output +docx /m);
    const { code, stderr } = await place.quire(["serve"], { env: { QUIRE_NO_PDF: "perhaps" } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("QUIRE_NO_PDF is neither")]);
  }, 60_000);

  test("that are invalid in the file are reported together, with the known names and without their values", async () => {
    const place = await makePlace();
    await place.write("quire.json", {
      port: "many",
      "max-body": 1,
      passwort: SECRET,
      pdf: SECRET,
      token: { is: SECRET },
      logLevel: SECRET,
    });
    const { code, stdout, stderr } = await refused(place, ["--config", "quire.json"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).not.toContain(SECRET);
    for (const part of [
      'configuration file "quire.json" has 6 mistakes.',
      '"port": It must be a whole number from 0 to 65535.',
      '"max-body": Did you mean "maxBody"?',
      '"passwort": Unknown setting. The settings are data, storage,',
      '"pdf": It must be true or false.',
      '"token": It must be a string or a number.',
      '"logLevel": Allowed choices are info, warn, error, silent.',
    ]) {
      expect(stderr).toContain(part);
    }
  });

  test("in a file that is unreadable, not JSON or not an object are reported without quoting it", async () => {
    const place = await makePlace();
    await place.write("half.json", `{"token": "${SECRET}", `);
    await place.write("list.json", `["${SECRET}"]`);
    await place.write("twice.json", `{"token": "${SECRET}", "port": 1, "token": "${SECRET}"}`);
    for (const [path, why] of [
      ["missing.json", "does not exist."],
      ["half.json", "is not valid JSON (column"],
      ["list.json", "does not contain an object."],
      ["twice.json", "has the key /token twice."],
    ] as const) {
      const { code, stderr } = await refused(place, ["--config", path]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`"${path}" ${why}`)]);
      expect(stderr).not.toContain(SECRET);
    }
  }, 60_000);

  test("that are invalid are rejected with the allowed values", async () => {
    const place = await makePlace();
    const cases: [readonly string[], Readonly<Record<string, string>>, string][] = [
      [["--port", "65536"], {}, "whole number from 0 to 65535"],
      [["--office-memory", "512"], {}, "whole number from 768 to 1048576"],
      [["--renderer-memory", "512"], {}, "whole number from 640 to 1048576"],
      [[], { QUIRE_RATE: "-1" }, 'QUIRE_RATE cannot be "-1". It must be a whole number'],
      [["--prefix", "/a/:id"], {}, "for example /v1/docs"],
      [["--prefix", "/a/../b"], {}, "for example /v1/docs"],
      [["--public-url", "docs.example.com"], {}, "for example https://docs.example.com"],
      [[], { QUIRE_TOKEN: "5h0rt" }, "The token in --token (or QUIRE_TOKEN) is not valid"],
      [["--jwt-issuer", "https://login.example"], {}, "--jwt-audience and --jwt-jwks, or none"],
      [["--introspection-url", "https://a.example"], {}, "QUIRE_INTROSPECTION_SECRET, or none"],
      [["--oauth-token-url", "https://a.example/token"], {}, "both --oauth-authorize-url and"],
      [["--oauth-token-url", "a.example"], {}, "for example https://id.example.com/authorize"],
      [["--webhook-allow", "127.0.0.1"], {}, "no --webhook-key"],
      [["--webhook-key", SECRET, "--webhook-allow", "a//b"], {}, "a block of addresses"],
      [["--soffice", "/nowhere"], {}, 'no LibreOffice program at "/nowhere"'],
      [["--host", "192.0.2.1"], {}, "this machine does not have that address. Correct --host"],
    ];
    const told = await Promise.all(
      cases.map(([args, env]) => {
        const all = ["serve", "--data", "data", "--port", "0", ...args];
        return place.quire(all, { env });
      }),
    );
    for (const [index, { code, stdout, stderr }] of told.entries()) {
      const why = cases[index]?.[2];
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(why ?? "")]);
      expect(stderr).not.toMatch(/this is a bug|5h0rt/);
      expect(stderr).not.toContain(SECRET);
    }
  }, 120_000);
});

describe("The place of the service", () => {
  test("a port that is in use ends the start, and the message says how to choose another", async () => {
    const place = await makePlace();
    const other = createServer().listen(0, "127.0.0.1");
    atEnd(() => void other.close());
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { code, stderr } = await refused(place, ["--port", port]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `cannot listen on "127.0.0.1:${port}": another program uses it already.`,
    );
    expect(stderr).toContain("choose another port with --port");
  });

  test("a data folder that cannot be created or written is reported with a fix", async () => {
    const place = await makePlace();
    await place.write("file", "");
    await mkdir(place.path("odd", "quire.db"), { recursive: true });
    const cases = [
      [place.path("file", "data"), "cannot be created"],
      [place.path("odd"), "cannot be used"],
    ];
    if (process.getuid?.() !== 0) {
      await mkdir(place.path("closed"));
      await chmod(place.path("closed"), 0o500);
      cases.push([place.path("closed"), "cannot be used"]);
    }
    for (const [data = "", why] of cases) {
      const { code, stderr } = await refused(place, ["--data", data]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`The data folder ${JSON.stringify(data)} ${why}: `),
      ]);
      expect(stderr).toContain("with --data.");
    }
    const { code, stderr } = await refused(place, ["--storage", place.path("file", "files")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("with --storage.")]);
  }, 60_000);

  test("a prefix and a public URL are in every URL that the service returns, and it works there", async () => {
    const place = await makePlace();
    const publicUrl = "https://docs.example.com/x";
    const service = await serve(place, {
      args: ["--prefix", "v1/docs/", "--public-url", `${publicUrl}/`, "--no-pdf"],
    });
    const { stderr } = service;
    expect(service.url).toBe(`http://127.0.0.1:${service.port}/x/v1/docs`);
    expect(stderr()).toMatch(new RegExp(`^ +API +${publicUrl}/v1/docs/2.0$`, "m"));
    expect(stderr()).toMatch(new RegExp(`^ +docs +${publicUrl}/v1/docs/docs$`, "m"));
    const url = `http://127.0.0.1:${service.port}/v1/docs`;
    const client = sdkClient(url);
    const folder = await client.folders.createFolder({ name: "out", parent: { id: "0" } });
    const error = await client.files.getFileById("nothing").catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      responseInfo: { helpUrl: `"${publicUrl}/v1/docs/docs/errors#not_found"` },
    });
    const { uploadUrl } = await client.uploads.preflightFileUploadCheck({
      name: "a.docx",
      parent: { id: folder.id },
    });
    expect(uploadUrl).toBe(`${publicUrl}/v1/docs/2.0/files/content`);
    for (const path of ["/readyz", "/healthz", "/metrics", "/docs", "/openapi.json"]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    }
    expect((await fetch(`http://127.0.0.1:${service.port}/2.0/folders/0`)).status).toBe(404);
  }, 60_000);

  test("the first start says how to create a token, and that token works immediately", async () => {
    const place = await makePlace();
    const service = await serve(place, { args: ["--no-pdf"], env: { QUIRE_TOKEN: undefined } });
    expect(service.stderr()).toMatch(/^ +accepts +no tokens yet$/m);
    const [, args = ""] = /^ {2}quire (token create .*)$/m.exec(service.stderr()) ?? [];
    expect((await service.ask("/2.0/folders/0")).status).toBe(401);
    const made = await place.quire(args.split(" "));
    expect(made.code).toBe(0);
    const token = made.stdout.trim();
    expect((await service.ask("/2.0/folders/0", { token })).status).toBe(200);
    await service.stop();
    const again = await serve(place, { args: ["--no-pdf"], env: { QUIRE_TOKEN: undefined } });
    expect(again.stderr()).toMatch(/^ +accepts +1 token created with quire token create$/m);
    expect(again.stderr()).not.toContain("No tokens exist yet");
  }, 60_000);

  test(
    "files may be in a bucket, and a missing bucket ends the start",
    async () => {
      const bucket = await makeBucket();
      const { endpoint, credentials } = bucket.options;
      if (typeof credentials !== "object" || !("accessKeyId" in credentials)) {
        throw new Error("No keys.");
      }
      // The AWS SDK reads the environment of its process.
      const place = await makePlace();
      setEnvironment({
        AWS_ENDPOINT_URL: endpoint,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_REGION: "us-east-1",
      });
      const nowhere = await refused(place, ["--storage", "s3://no-such-bucket-here/x"]);
      expect([nowhere.code, nowhere.stdout]).toEqual([1, ""]);
      expect(nowhere.stderr).toContain("no-such-bucket-here");
      const storage = `s3://${bucket.bucket}/deep/files`;
      const args = ["--storage", storage, "--no-pdf"];
      const service = await serve(place, { args });
      expect(service.stderr()).toMatch(new RegExp(`^ +files +${storage}$`, "m"));
      const file = await service.upload("letter.docx", docx(["Dear {{name}}"]));
      const folder = await service.folder("out");
      const begun = await service.ask("/2.0/docgen_batches", {
        body: batchOf(file, folder, letters(5)),
      });
      const batch = await service.finished(begun.body.id);
      expect(batch.counts.completed).toBe(5);
      const names = (await keysIn(bucket, "deep/files/")).map((key) => key.split("/").at(-1));
      expect(names).toEqual(
        expect.arrayContaining(letters(5).map((entry) => `${entry.generated_file_name}.docx`)),
      );
      await service.stop();
      const again = await serve(place, { args });
      const items = await again.ask(`/2.0/folders/${folder}/items`);
      expect(items.body.entries).toHaveLength(5);
      const { id } = items.body.entries[0];
      expect((await again.ask(`/2.0/files/${id}/content`)).status).toBe(200);
      const output = again.stderr() + again.stdout() + nowhere.stderr;
      expect(output).not.toContain(credentials.secretAccessKey);
      expect(output).not.toContain(TOKEN);
    },
    START_TIMEOUT_MS,
  );
});
