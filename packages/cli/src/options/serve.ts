import { type Command, Option } from "commander";
import type { Io } from "../terminal/io.ts";
import { address, hosts, pathPrefix, publicUrl, whole } from "./setting-values.ts";

/** Provides the environment variables. */
type Env = Pick<Io, "env">;

/** The environment variable for `--no-pdf`. `settingsOf` reads it, because its value may be yes or no. */
export const NO_PDF = "QUIRE_NO_PDF";
const LOG_LEVELS = ["info", "warn", "error", "silent"];
/** The lowest memory limits, in MiB. With less memory, LibreOffice or a rendering process does not start. */
const LEAST_MEMORY = { office: 768, renderer: 640 } as const;
const MOST_MEMORY = 1_048_576;
const MAX_PORT = 65_535;
/** Node's timers cannot wait much longer than this. */
const MAX_GRACE_SECONDS = 2_000_000;
const MAX_DAYS = 1_000_000;

/** Creates `--data`, an option of several commands. */
export function dataOption(io: Env): Option {
  return option(
    io,
    "--data <folder>",
    "the folder for all data of the service; created if missing",
  ).default("quire-data");
}

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
    new Option("--no-pdf", `make only .docx, without LibreOffice (env: ${NO_PDF}=1)`),
    option(io, "--soffice <file>", "the path of LibreOffice (default: found automatically)"),
    option(
      io,
      "--seal-layers <number>",
      "how many of the three security layers around LibreOffice must work for PDF output",
    )
      .argParser(whole(1, 3))
      .default(2),
    option(io, "--office-memory <MiB>", "the memory limit of one LibreOffice process")
      .argParser(whole(LEAST_MEMORY.office, MOST_MEMORY))
      .default(1408),
    option(io, "--renderer-memory <MiB>", "the memory limit of one rendering process")
      .argParser(whole(LEAST_MEMORY.renderer, MOST_MEMORY))
      .default(768),
    option(io, "--log-level <level>", "the minimum level of the log on standard output")
      .choices(LOG_LEVELS)
      .default("info"),
    option(
      io,
      "--config <file>",
      'a JSON file with any of these options, as in {"port": 80, "publicUrl": "…"}',
    ),
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
  const grace = "the time limit for running requests and documents at shutdown";
  return [
    option(io, "--concurrency <number>", "how many documents to make at once").argParser(whole(1)),
    option(io, "--keep-days <days>", "days to keep finished batches; files are not deleted")
      .argParser(whole(0, MAX_DAYS))
      .default(30),
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
    option(io, "--grace <seconds>", grace).argParser(whole(0, MAX_GRACE_SECONDS)).default(30),
  ];
}

function quotaOptions(io: Env): Option[] {
  const quotas: readonly (readonly [flag: string, description: string])[] = [
    ["--quota-disk <bytes>", "the size of files and batch data (default: half of the disk)"],
    ["--quota-files <number>", "file versions and folders (default: 10000000)"],
    ["--quota-waiting <jobs>", "waiting and running jobs (default: 500000)"],
    ["--quota-jobs <jobs>", "all jobs, including finished jobs (default: 10000000)"],
    ["--quota-webhooks <number>", "webhooks (default: 100)"],
    ["--quota-target-webhooks <number>", "webhooks per file or folder (default: 10)"],
    ["--quota-deliveries <number>", "events waiting to be sent (default: 20000)"],
  ];
  return quotas.map(([flag, description]) => option(io, flag, description).argParser(whole(0)));
}

/** Creates an option that the variable `QUIRE_…` can also set. An empty variable is ignored. */
function option({ env }: Env, flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = `QUIRE_${made.name().replaceAll("-", "_").toUpperCase()}`;
  return env[variable] === "" ? made : made.env(variable);
}
