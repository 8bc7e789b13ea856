import { type Command, Option } from "commander";
import { databaseOptions, dataOption, serviceDatabaseOptions } from "./database.ts";
import {
  concurrencyOption,
  configOption,
  graceOption,
  keepDaysOption,
  logLevelOption,
  MAX_GRACE_SECONDS,
  officeOptions,
  processesOption,
  quotaOptions,
  rendererMemoryOption,
  svgFontsOption,
} from "./documents.ts";
import { type Env, MAX_PORT, option, switchOption } from "./env-option.ts";
import { address, hosts, pathPrefix, publicUrl, whole } from "./setting-values.ts";

const MOST_WORKERS = 64;

/** Creates `--storage`, for commands that use the files of a service. */
export function storageOption(io: Env): Option {
  return option(
    io,
    "--storage <location>",
    "where the files are: a folder, or s3://BUCKET/PREFIX (default: the subfolder 'files' of the data folder)",
  );
}

/** Creates `--by`, for commands that write to the audit log. */
export function actorOption(): Option {
  return new Option("--by <who>", "your name for the audit log (default: user@machine)");
}

/** Adds all options of `quire serve`. The environment and the configuration file can also set each of them. */
export function withServeOptions(command: Command, io: Env): Command {
  const groups: Readonly<Record<string, readonly Option[]>> = {
    "Addresses, files and output:": placeOptions(io),
    "Database and roles:": [...serviceDatabaseOptions(io), noWorkOption(), workersOption(io)],
    "Access (tokens created with quire token are always accepted):": accessOptions(io),
    "Webhooks:": webhookOptions(io),
    "Limits:": limitOptions(io),
    "Quotas per enterprise:": quotaOptions(io),
  };
  for (const [heading, options] of Object.entries(groups)) {
    for (const one of options) command.addOption(one.helpGroup(heading));
  }
  return command;
}

function placeOptions(io: Env): Option[] {
  return [
    dataOption(io),
    storageOption(io),
    option(io, "--host <address>", "the address to listen on; 0.0.0.0 for all").default(
      "127.0.0.1",
    ),
    option(io, "--port <number>", "the port to listen on; 0 for any free port")
      .argParser(whole(0, MAX_PORT))
      .default(8080),
    option(io, "--prefix <path>", "the path before /2.0 in URLs, for example /v1/docs")
      .argParser(pathPrefix)
      .default("", "none"),
    option(
      io,
      "--public-url <url>",
      "the URL at which clients reach the service, without the prefix (default: from the request)",
    ).argParser(publicUrl),
    switchOption("--no-pdf", "make only .docx, without LibreOffice"),
    ...officeOptions(io),
    rendererMemoryOption(io),
    svgFontsOption(io),
    processesOption(io),
    logLevelOption(io),
    configOption(io),
  ];
}

function accessOptions(io: Env): Option[] {
  return [
    option(
      io,
      "--token <token>",
      "a token with full access, for trying things out; other users of the machine can see a flag, but not the environment",
    ),
    option(io, "--jwt-issuer <url>", "accept JWTs from this issuer"),
    option(io, "--jwt-audience <name>", "the audience that JWTs must name"),
    option(io, "--jwt-jwks <url>", "the URL of the JWT issuer's keys (JWKS)"),
    option(io, "--jwt-user-claim <name>", "the claim with the user (default: sub)"),
    option(
      io,
      "--jwt-enterprise-claim <name>",
      "the claim with the enterprise (default: enterprise)",
    ),
    option(io, "--jwt-scopes-claim <name>", "the claim with the scopes (default: scope)"),
    option(io, "--introspection-url <url>", "validate tokens at this URL (RFC 7662)"),
    option(io, "--introspection-client <id>", "the client ID for the introspection URL"),
    option(io, "--introspection-secret <secret>", "the client secret for the introspection URL"),
    option(
      io,
      "--oauth-authorize-url <url>",
      "the authorization URL (OAuth 2.0), for /openapi.json",
    ).argParser(address),
    option(io, "--oauth-token-url <url>", "the token URL, for /openapi.json").argParser(address),
  ];
}

function webhookOptions(io: Env): Option[] {
  return [
    option(io, "--webhook-key <key>", "the key that signs webhooks; without it, none are sent"),
    option(io, "--webhook-key-2 <key>", "a second key that also signs webhooks, for key rotation"),
    option(io, "--webhook-allow <hosts>", "private hosts that may receive events: a,b").argParser(
      hosts,
    ),
  ];
}

function limitOptions(io: Env): Option[] {
  return [
    concurrencyOption(io),
    keepDaysOption(io),
    option(io, "--max-body <bytes>", "size of a JSON body (default: 10485760)").argParser(whole(1)),
    option(io, "--max-upload <bytes>", "size of a file (default: 104857600)").argParser(whole(1)),
    option(io, "--max-entries <number>", "entries in a batch (default: 10000)").argParser(whole(1)),
    option(io, "--max-waiting <jobs>", "waiting jobs (default: 5000000)").argParser(whole(1)),
    option(
      io,
      "--rate <number>",
      "requests per user and minute; 0 for no limit (default: 1000)",
    ).argParser(whole(0)),
    option(
      io,
      "--drain <seconds>",
      "how long to keep responding after a stop signal, while new work is rejected and /readyz returns 503",
    )
      .argParser(whole(0, MAX_GRACE_SECONDS))
      .default(0),
    graceOption(io),
  ];
}

function noWorkOption(): Option {
  return switchOption(
    "--no-work",
    "accept and serve, but make no documents: quire work makes them, in other processes",
  );
}

function workersOption(io: Env): Option {
  return option(
    io,
    "--workers <number>",
    "make the documents in this number of quire work processes, which start and end with the service",
  ).argParser(whole(1, MOST_WORKERS));
}

/** Adds the options that say which service an operator's command is for. */
export function withServicePlace(command: Command, io: Env): Command {
  for (const one of [dataOption(io), ...databaseOptions(io)]) command.addOption(one);
  return command;
}
