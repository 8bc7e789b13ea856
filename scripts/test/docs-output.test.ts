/**
 * Checks the blocks that pages mark with `output` or `config`. readme.test.ts checks the output of the blocks that it
 * runs.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { newCommand } from "../../packages/cli/src/commands/command.ts";
import { COMMANDS } from "../../packages/cli/src/commands.ts";
import { certificateFor } from "../../packages/service/test/webhooks/support/certificate.ts";
import { createBlockRunner } from "./support/block-runner.ts";
import { BLOCKS, type Block, ROOT } from "./support/doc-blocks.ts";
import { isOutputOfRun, isSynopsis } from "./support/run-pages.ts";

const { stdout, stderr } = process;
const outputs = BLOCKS.filter(({ mark }) => mark === "output");
const configs = BLOCKS.filter(({ mark }) => mark === "config");

describe("output:", () => {
  test("each block is the output of the block before it, a synopsis, JSON, or code of another library", () => {
    const unknown = outputs.filter(
      (block) => !isOutputOfRun(block) && !isSynopsis(block) && block.language === "text",
    );
    expect(unknown.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });

  test.each(outputs.filter(({ language }) => language === "json"))(
    "$page:$line is JSON",
    ({ code }) => {
      expect(Object.keys(JSON.parse(code)).length).toBeGreaterThan(0);
    },
  );

  test.each(outputs.filter(isSynopsis))(
    "the synopsis in $page:$line has only options that exist",
    async ({ code }) => {
      const calls = code.split(/\n(?=quire )/);
      for (const call of calls) {
        const [, name = "", second = ""] = /^quire (\w+) ?(\w+)?/.exec(call) ?? [];
        const known = await optionsOf(name, second);
        const shown = [...call.matchAll(/(?<![\w-])(--?[a-z][a-z-]*)/g)].map(([, flag]) => flag);
        expect(shown.filter((flag) => !known.includes(flag ?? ""))).toEqual([]);
      }
    },
  );
});

describe("config:", () => {
  test.each(configs)(
    "the $language in $page:$line can be read",
    { timeout: 60_000 },
    async (block) => {
      const read = READERS[block.language];
      expect(read, `a reader for ${block.language}`).toBeDefined();
      await read?.(block);
    },
  );
});

/** Checks a configuration as its program reads it, by the language of the block. */
const READERS: Readonly<Record<string, (block: Block) => Promise<void>>> = {
  /** A configuration of `quire serve --config`. */
  json: async (block) => {
    const runner = await createBlockRunner(process.execPath);
    const code = `cat > service.json <<'END'\n${block.code}\nEND\nnpx quire serve --config service.json`;
    try {
      await runner.run({ ...block, language: "sh", code });
    } finally {
      await runner.close();
    }
  },
  /** A configuration of Traefik, which is not installed. */
  yaml: async ({ code }) => {
    const { routers, middlewares, services } = parse(code).http;
    expect(Object.keys(services)).toEqual([routers.quire.service]);
    expect(Object.keys(middlewares)).toEqual(routers.quire.middlewares);
  },
  nginx: async ({ code }) => {
    const folder = await temporaryFolder();
    const { key, cert } = certificateFor("docs.example.com");
    await writeFile(join(folder, "key.pem"), key);
    await writeFile(join(folder, "cert.pem"), cert);
    const site = code
      .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`);
    const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
    const main = `pid ${folder}/pid; error_log stderr; events {} http { ${temporary} access_log off; ${site} }`;
    await writeFile(join(folder, "nginx.conf"), main);
    await gateway("nginx", ["-t", "-q", "-p", folder, "-c", join(folder, "nginx.conf")], folder);
  },
  caddyfile: async ({ code }) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "Caddyfile"), `${code}\n`);
    const args = ["validate", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
    await gateway("caddy", args, folder);
  },
};

/** Runs a gateway: the one on this system, or the one that the set-up has unpacked. */
async function gateway(name: string, args: readonly string[], home: string): Promise<void> {
  const unpacked = join(ROOT, "node_modules", ".quire-gateways", "usr");
  const places = [join(unpacked, "sbin"), join(unpacked, "bin"), "/usr/sbin"];
  const PATH = [process.env.PATH, ...places].join(delimiter);
  await promisify(execFile)(name, args, { env: { PATH, HOME: home } });
}

/** Returns the options of a command or of a subcommand. */
async function optionsOf(name: string, below: string): Promise<readonly string[]> {
  const listed = COMMANDS.find((command) => command.name === name);
  if (listed === undefined) throw new Error(`There is no command ${name}.`);
  const command = newCommand(name, { stdout, stderr, env: {} });
  (await listed.load())(command, { env: {} } as Parameters<
    Awaited<ReturnType<typeof listed.load>>
  >[1]);
  const commands = [command, ...command.commands.filter((each) => each.name() === below)];
  const options = commands.flatMap((each) => each.options);
  return options.flatMap(({ short, long }) => [short, long]).filter((flag) => flag != null);
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-gateway-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
