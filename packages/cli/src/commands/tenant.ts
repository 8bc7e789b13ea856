import { type Command, InvalidArgumentError } from "commander";
import { actorOption, storageOption, withServicePlace } from "../options/serve.ts";
import type { TenantOptions } from "../serve/tenants.ts";
import type { CommandIo } from "../terminal/io.ts";
import { newCommand, withExamples } from "./command.ts";

type Tenants = typeof import("../serve/tenants.ts");

/** Commands that change an enterprise and need only its name. */
const CHANGES: readonly (readonly [name: "suspend" | "resume" | "cancel", description: string])[] =
  [
    ["suspend", "Reject an enterprise's requests and hold its jobs; running jobs finish."],
    ["resume", "End the suspension of an enterprise."],
    ["cancel", "Cancel all batches of an enterprise; running jobs may still complete or fail."],
  ];

/** `quire tenant`: the operator's commands for enterprises of a service. */
export function defineTenant(command: Command, io: CommandIo): void {
  const make = (name: string, description: string): Command =>
    withServicePlace(
      withExamples(newCommand(name, io), examplesOf(name)).description(description),
      io,
    );
  const about = (name: string, description: string): Command =>
    make(name, description).argument("<name>", "the name of the enterprise");
  command.addCommand(
    make("list", "List the enterprises that are suspended or have their own quotas.").action(
      async (options: TenantOptions) => (await tenants()).printAll(io, options),
    ),
  );
  command.addCommand(
    about("show", "Show the usage, quotas and suspension of an enterprise as JSON.").action(
      async (name: string, options: TenantOptions) => (await tenants()).show(io, name, options),
    ),
  );
  for (const [name, description] of CHANGES) {
    const change = about(name, description).addOption(actorOption());
    command.addCommand(
      change.action(async (tenant: string, options: TenantOptions) =>
        (await tenants())[name](io, tenant, options),
      ),
    );
  }
  command.addCommand(eraseCommand(about(...ERASE), io));
  command.addCommand(quotaCommand(about(...QUOTA), io));
  command.addCommand(
    make("log", "Print the audit log as JSON lines, oldest first.").action(
      async (options: TenantOptions) => (await tenants()).printLog(io, options),
    ),
  );
  withExamples(command, ["quire tenant show acme", "quire tenant suspend acme --by ann"]);
}

/** The arguments of the examples. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  list: "",
  log: "",
  quota: " acme disk=1000000000 jobs=default",
};

function examplesOf(name: string): string[] {
  const line = `quire tenant ${name}${ARGUMENTS[name] ?? " acme"}`;
  return [line, `${line} --data quire-data`];
}

const ERASE = [
  "erase",
  "Erase an enterprise's files, batches, webhooks and tokens permanently, and suspend it. Run the command again to resume after an interruption.",
] as const;
const QUOTA = [
  "quota",
  "Set quotas for an enterprise; the value default restores the service's quota.",
] as const;

function eraseCommand(command: Command, io: CommandIo): Command {
  return command
    .addOption(storageOption(io))
    .addOption(actorOption())
    .action(async (name: string, options: TenantOptions) =>
      (await tenants()).erase(io, name, options),
    );
}

function quotaCommand(command: Command, io: CommandIo): Command {
  return command
    .argument("<quotas...>", "for example disk=1000000 jobs=default", quotas)
    .addOption(actorOption())
    .action(
      async (name: string, given: ReadonlyMap<string, number | null>, options: TenantOptions) =>
        (await tenants()).setQuotas(io, name, given, options),
    );
}

/** Loaded on demand, so that the other commands start faster. */
function tenants(): Promise<Tenants> {
  return import("../serve/tenants.ts");
}

function quotas(
  text: string,
  before: ReadonlyMap<string, number | null> | undefined,
): ReadonlyMap<string, number | null> {
  const [, name, limit] = /^(\w+)=(\d{1,15}|default)$/.exec(text) ?? [];
  if (name === undefined || limit === undefined) {
    throw new InvalidArgumentError(
      "Use the name of a quota and a whole number, for example disk=1000000.",
    );
  }
  return new Map(before).set(name, limit === "default" ? null : Number(limit));
}
