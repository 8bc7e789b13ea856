import { QuireError } from "@quire/core/host";
import type { QuotaName, Quotas } from "@quire/service";
import type { Command, Option } from "commander";
import { variableOf } from "../options/env-option.ts";
import type { Io } from "../terminal/io.ts";
import { applyConfig } from "./config-file.ts";

/** Which service an operator's command is for. */
export interface ServicePlace {
  /** The data folder. Not used with a database. */
  readonly data: string;
  readonly database?: string;
  readonly databaseSchema?: string;
}

/** The settings that `quire serve` and `quire work` share. */
export interface SharedSettings extends ServicePlace {
  readonly directDatabase?: string;
  /** False with `--no-migrate`. */
  readonly migrate: boolean;
  readonly allowDataLoss?: boolean;
  readonly storage?: string;
  readonly soffice?: string;
  readonly sealLayers: number;
  readonly officeMemory: number;
  readonly rendererMemory: number;
  readonly svgFonts?: string;
  readonly processes?: number;
  readonly concurrency?: number;
  readonly keepDays: number;
  readonly quotaDisk?: number;
  readonly quotaFiles?: number;
  readonly quotaWaiting?: number;
  readonly quotaJobs?: number;
  readonly quotaWebhooks?: number;
  readonly quotaTargetWebhooks?: number;
  readonly quotaDeliveries?: number;
  readonly grace: number;
  readonly logLevel: "info" | "warn" | "error" | "silent";
}

/** The settings of `quire work`. */
export interface WorkSettings extends SharedSettings {
  /** Default: both. */
  readonly only?: "docx" | "pdf";
  readonly healthHost: string;
  readonly healthPort: number;
}

/** The settings of `quire serve` from flags, the environment and the configuration file. */
export interface Settings extends SharedSettings {
  /** False with `--no-work`. */
  readonly work: boolean;
  readonly workers?: number;
  readonly host: string;
  readonly port: number;
  /** Empty, or a path that begins with a slash and does not end with a slash. */
  readonly prefix: string;
  /** Does not end with a slash. */
  readonly publicUrl?: string;
  readonly token?: string;
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
  readonly jwtJwks?: string;
  readonly jwtUserClaim?: string;
  readonly jwtEnterpriseClaim?: string;
  readonly jwtScopesClaim?: string;
  readonly introspectionUrl?: string;
  readonly introspectionClient?: string;
  readonly introspectionSecret?: string;
  readonly oauthAuthorizeUrl?: string;
  readonly oauthTokenUrl?: string;
  readonly webhookKey?: string;
  readonly webhookKey2?: string;
  readonly webhookAllow?: readonly string[];
  /** False with `--no-pdf`. */
  readonly pdf: boolean;
  readonly maxBody?: number;
  readonly maxUpload?: number;
  readonly maxEntries?: number;
  readonly maxWaiting?: number;
  readonly rate?: number;
  readonly drain: number;
}

/** Options whose values must not be shown or logged. */
const SECRETS: ReadonlySet<string> = new Set([
  "token",
  "introspectionSecret",
  "webhookKey",
  "webhookKey2",
  // These may contain a password.
  "database",
  "directDatabase",
]);
/** Switches that are off, in words. */
const OFF: Readonly<Record<string, string>> = {
  pdf: "no PDF",
  work: "no work",
  migrate: "no migration",
};
/** The sources of settings, in words. */
const SOURCES: Readonly<Record<string, string>> = {
  cli: "flag",
  env: "environment",
  config: "file",
};

/** Returns the quotas that were set. */
export function quotasOf(settings: SharedSettings): Partial<Quotas> {
  const all: Record<QuotaName, number | undefined> = {
    disk: settings.quotaDisk,
    files: settings.quotaFiles,
    waiting: settings.quotaWaiting,
    jobs: settings.quotaJobs,
    webhooks: settings.quotaWebhooks,
    targetWebhooks: settings.quotaTargetWebhooks,
    deliveries: settings.quotaDeliveries,
  };
  return Object.fromEntries(Object.entries(all).filter(([, limit]) => limit !== undefined));
}

/** Reads all settings. Precedence: flag, environment variable, `--config` file, default. Rejects `invalid_request`. */
export async function settingsOf<Given extends SharedSettings>(
  io: Io,
  command: Command,
): Promise<Given> {
  for (const one of command.options) applySwitch(command, one, io.env[variableOf(one)]);
  const { config } = command.opts<{ readonly config?: string }>();
  if (config !== undefined) await applyConfig(io, command, config);
  return command.opts<Given>();
}

/**
 * Lists settings that differ from their defaults, with their sources: `port 80 (flag)`. Hides the values of secrets.
 */
export function changedSettings(command: Command): string[] {
  return command.options.flatMap((one) => {
    const key = one.attributeName();
    if (one.negate) return command.getOptionValue(key) === false ? [OFF[key] ?? `no ${key}`] : [];
    const source = SOURCES[command.getOptionValueSource(key) ?? ""];
    if (source === undefined) return [];
    return [`${one.long?.slice(2) ?? key} ${shown(key, command.getOptionValue(key))} (${source})`];
  });
}

function shown(key: string, value: unknown): string {
  if (SECRETS.has(key)) return "set";
  return Array.isArray(value) ? value.join(",") : JSON.stringify(value);
}

/** Applies the variable of an option without a value, such as `QUIRE_NO_PDF`, which may be yes or no. */
function applySwitch(command: Command, option: Option, said = ""): void {
  const key = option.attributeName();
  if (option.required || option.optional || /^(|0|false|no)$/i.test(said)) return;
  if (command.getOptionValueSource(key) === "cli") return;
  if (/^(1|true|yes)$/i.test(said)) {
    return void command.setOptionValueWithSource(key, !option.negate, "env");
  }
  throw new QuireError(
    "invalid_request",
    `The environment variable ${variableOf(option)} is neither yes nor no. Set it to 1, or remove it.`,
  );
}
