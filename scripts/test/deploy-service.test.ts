/** The files in deploy/ for a service with roles. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { newCommand, type QuireCommand } from "../../packages/cli/src/commands/command.ts";
import { variableOf } from "../../packages/cli/src/options/env-option.ts";
import { withServeOptions } from "../../packages/cli/src/options/serve.ts";
import { withWorkOptions } from "../../packages/cli/src/options/work.ts";
import { createTelemetry } from "../../packages/service/src/index.ts";
import { ROOT } from "./support/doc-blocks.ts";

// biome-ignore lint/suspicious/noExplicitAny: the compiler checks the fields in a test.
type Manifest = any;

const read = (name: string): string => readFileSync(join(ROOT, "deploy", name), "utf8");
const MANIFESTS: readonly Manifest[] = parseAllDocuments(read("kubernetes-service.yaml")).map(
  (document) => document.toJS(),
);
const DEPLOYMENTS = ofKind("Deployment");
/** Where the types of each kind are. KEDA publishes no types. */
const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: "core/v1",
  Deployment: "apps/v1",
  Service: "core/v1",
  HorizontalPodAutoscaler: "autoscaling/v2",
  PodDisruptionBudget: "policy/v1",
  NetworkPolicy: "networking/v1",
};
const { stdout, stderr } = process;
const IO = { stdout, stderr, env: {} };

function ofKind(kind: string): readonly Manifest[] {
  return MANIFESTS.filter((manifest) => manifest.kind === kind);
}

function deploymentOf(name: string): Manifest {
  return DEPLOYMENTS.find(({ metadata }) => metadata.name === name);
}

/** Returns the values of the options in a command line of the image. Throws for unknown and invalid options. */
function parsed([name = "", ...args]: readonly string[]): Readonly<Record<string, unknown>> {
  const define = { serve: withServeOptions, work: withWorkOptions }[name];
  if (define === undefined) throw new Error(`Unknown command: ${name}`);
  const command = define(newCommand(name, IO), IO) as QuireCommand;
  return command
    .action(() => {})
    .parse(args, { from: "user" })
    .opts();
}

describe("deploy/kubernetes-service.yaml", () => {
  test("has only fields that Kubernetes knows", { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(join(ROOT, "examples", ".manifests-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const typed = MANIFESTS.filter(({ kind }) => kind !== "ScaledObject");
    const lines = typed.map((manifest, index) => {
      const type = `import("kubernetes-types/${TYPES[manifest.kind]}.d.ts").${manifest.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(manifest)};\n`;
    });
    await writeFile(join(folder, "manifests.ts"), lines.join(""));
    const config = { extends: "../../tsconfig.test.json", include: ["*.ts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toBe("");
  });

  test("starts nodes and workers with options that exist, which get time to finish", () => {
    const roles = DEPLOYMENTS.map(({ metadata, spec }) => {
      const { terminationGracePeriodSeconds, containers } = spec.template.spec;
      const { work, only, drain = 0, grace } = parsed(containers[0].args);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(drain) + Number(grace));
      return [metadata.name, work ?? only];
    });
    expect(roles).toEqual([
      ["quire-serve", false],
      ["quire-docx", "docx"],
      ["quire-pdf", "pdf"],
    ]);
  });

  test("starts as many processes as the pods have processors and memory for", () => {
    for (const { spec } of DEPLOYMENTS) {
      const [{ args, resources }] = spec.template.spec.containers;
      const { processes } = parsed(args);
      expect(String(processes)).toBe(resources.requests.cpu);
      const [, gibibytes] = /^(\d+)Gi$/.exec(resources.limits.memory) ?? [];
      expect(Number(gibibytes)).toBeGreaterThan(Number(processes));
    }
  });

  test("sets only variables that the commands read, and gives the keys only to the nodes", () => {
    const options = [withServeOptions, withWorkOptions].flatMap(
      (define) => define(newCommand("any", IO), IO).options,
    );
    const known = new Set(options.map(variableOf));
    const used = [...read("kubernetes-service.yaml").matchAll(/\bQUIRE_[A-Z_]+/g)];
    expect(used.flatMap(([name]) => (known.has(name) ? [] : [name]))).toEqual([]);
    // Kubernetes sets variables for each service of the namespace: QUIRE_PORT for one with the name quire.
    for (const { spec } of DEPLOYMENTS) expect(spec.template.spec.enableServiceLinks).toBe(false);
    const withKeys = DEPLOYMENTS.filter(({ spec }) =>
      JSON.stringify(spec).includes("QUIRE_WEBHOOK_KEY"),
    );
    expect(withKeys.map(({ metadata }) => metadata.name)).toEqual(["quire-serve"]);
  });

  test("probes the ports on which the processes listen, and writes only to mounted folders", () => {
    const { data } = ofKind("ConfigMap")[0];
    expect(data.QUIRE_HEALTH_HOST).toBe("0.0.0.0");
    for (const { spec } of DEPLOYMENTS) {
      const { containers, volumes, securityContext } = spec.template.spec;
      const [container] = containers;
      const { port, healthPort } = parsed(container.args);
      expect(container.ports).toEqual([{ name: "http", containerPort: healthPort ?? port }]);
      for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
        expect(container[probe].httpGet.port).toBe("http");
      }
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
      expect(securityContext.runAsNonRoot).toBe(true);
      const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
      expect(volumes.map(({ name }: { name: string }) => name)).toEqual(mounted);
    }
  });

  test("selects pods that exist, and each deployment has one scaler and one budget", () => {
    const names = DEPLOYMENTS.map(({ metadata }) => metadata.name).sort();
    for (const { metadata, spec } of DEPLOYMENTS) {
      expect(spec.selector.matchLabels).toEqual({ app: metadata.name });
      expect(spec.template.metadata.labels).toMatchObject({ app: metadata.name });
      // A number of pods here would fight with the scaler.
      expect(spec.replicas).toBeUndefined();
    }
    const scalers = [...ofKind("HorizontalPodAutoscaler"), ...ofKind("ScaledObject")];
    expect(scalers.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(names);
    const budgets = ofKind("PodDisruptionBudget");
    expect(budgets.map(({ spec }) => spec.selector.matchLabels.app).sort()).toEqual(names);
    const [serve, work] = ofKind("NetworkPolicy").map(({ spec }) => spec.podSelector);
    expect([serve.matchLabels.app, ...work.matchExpressions[0].values].sort()).toEqual(names);
    expect(ofKind("Service")[0].spec.selector).toEqual({ app: "quire-serve" });
  });

  test("scales the workers by a metric that the nodes have for their kind of documents", async () => {
    const oldestAt = { docx: Date.now(), pdf: Date.now() };
    const depth = async () => ({ submitted: 1, pending: 0, oldestAt, capacity: 9 });
    const { text } = await createTelemetry({ depth }).metrics();
    for (const { spec } of ofKind("ScaledObject")) {
      const { url, valueLocation } = spec.triggers[0].metadata;
      const { name, spec: service } = { ...ofKind("Service")[0].metadata, ...ofKind("Service")[0] };
      expect(url).toBe(`http://${name}.default.svc:${service.ports[0].port}/metrics`);
      const { args } = deploymentOf(spec.scaleTargetRef.name).spec.template.spec.containers[0];
      expect(valueLocation).toContain(`{kind="${parsed(args).only}"}`);
      expect(text.split("\n").some((line) => line.startsWith(`${valueLocation} `))).toBe(true);
    }
  });
});

describe("deploy/compose-roles.yaml", () => {
  const { services, volumes } = parse(read("compose-roles.yaml"), { merge: true });

  test("starts nodes and workers with options that exist, and a database that they wait for", () => {
    const { database, ...own } = services;
    const roles = Object.entries<Manifest>(own).map(([name, { command }]) => {
      const { work, only } = parsed(command);
      return [name, work ?? only];
    });
    expect(roles).toEqual([
      ["one", false],
      ["two", false],
      ["docx", "docx"],
      ["pdf", "pdf"],
    ]);
    for (const service of Object.values<Manifest>(own)) {
      expect(service.depends_on).toEqual({ database: { condition: "service_healthy" } });
      expect([service.read_only, service.user, service.cap_drop]).toEqual([
        true,
        "1000:1000",
        ["ALL"],
      ]);
      const { protocol, username, pathname } = new URL(
        service.environment.QUIRE_DATABASE.replace(/\$\{.*?\}/, "secret"),
      );
      expect([protocol, username, pathname]).toEqual([
        "postgres:",
        database.environment.POSTGRES_USER,
        "/quire",
      ]);
    }
    expect(Object.keys(volumes).sort()).toEqual(["database", "files"]);
  });

  test("takes the database as healthy only when it accepts connections from other containers", () => {
    // PostgreSQL's image starts a server without TCP first, to create the database.
    expect(services.database.healthcheck.test.join(" ")).toContain("--host 127.0.0.1");
  });

  test("asks the workers for their health at the port on which they listen", () => {
    for (const name of ["docx", "pdf"]) {
      const { healthPort } = parsed(services[name].command);
      expect(services[name].healthcheck.test.at(-1)).toBe(String(healthPort));
    }
  });
});
