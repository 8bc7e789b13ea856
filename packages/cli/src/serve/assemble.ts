import { type Converter, QuireError, renderPool } from "@quire/core/host";
import type { SqliteStores } from "@quire/jobs-sqlite";
import { findSoffice, findWasmPackage } from "@quire/pdf-libreoffice";
import {
  createLogger,
  createService,
  createTelemetry,
  DEFAULT_QUOTAS,
  type HttpService,
  type Limits,
  mostUsed,
  type ServiceOptions,
} from "@quire/service";
import { converterFor, requireSoffice } from "../files/soffice.ts";
import { type Io, rendererOf } from "../terminal/io.ts";
import { authenticationOf } from "./authentication.ts";
import { openStorage } from "./open-storage.ts";
import { quotasOf, type Settings } from "./settings.ts";
import { openStores } from "./stores.ts";

/** A service that is ready to start, and its description. */
export interface Assembled {
  readonly service: HttpService;
  /** The folder of the files, or the URL of their bucket. */
  readonly place: string;
  readonly makesPdf: boolean;
  /** The accepted tokens, in words; may be empty. */
  readonly letsIn: readonly string[];
}

const DAY_MS = 24 * 3600 * 1000;

/** Builds the service from the settings. If this fails, closes everything that has been opened. */
export async function assemble(io: Io, settings: Settings): Promise<Assembled> {
  const { soffice } = settings;
  const makesPdf = await wantsPdf(io, settings);
  const stores = await openStores(io, settings.data, settings.maxWaiting);
  let converter: Converter | undefined;
  try {
    const { authenticate, described } = authenticationOf(settings, stores.tokens);
    const { storage, place, bytes } = await openStorage(io, settings);
    const half = bytes === null ? {} : { disk: Math.floor(bytes / 2) };
    const quotas = { ...half, ...quotasOf(settings) };
    const telemetry = createTelemetry({
      depth: () => stores.jobs.gauge.depth(),
      seal: () => converter?.seal?.() ?? null,
      joining: () => converter?.joining?.() ?? null,
      quotas: { limits: { ...DEFAULT_QUOTAS, ...quotas }, most: () => mostUsed(stores) },
    });
    if (makesPdf) {
      converter = converterFor(io, {
        ...(soffice === undefined ? {} : { soffice }),
        leastLayers: settings.sealLayers,
        memoryLimitMb: settings.officeMemory,
        onReplaced: (reason) => telemetry.converterRestarted(reason),
      });
    }
    const service = await createService({
      storage,
      stores,
      authenticate,
      logger: createLogger({
        level: settings.logLevel,
        ...(io.log === undefined ? {} : { destination: io.log }),
      }),
      telemetry,
      limits: limitsOf(settings),
      quotas,
      prefix: settings.prefix,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
      ...(converter === undefined ? {} : { converter }),
      ...oauthOf(settings),
      ...webhooksOf(settings),
      engine: { ...engineOf(settings), ...rendererOf(io) },
    });
    const letsIn = [...described, ...(await storedTokensInWords(stores))];
    return { service, place, makesPdf, letsIn };
  } catch (error) {
    await converter?.close();
    await stores.close();
    throw error;
  }
}

/**
 * Whether the service creates PDFs: not with `--no-pdf`, and not if LibreOffice is missing and `--soffice` is not set.
 */
async function wantsPdf(io: Io, { pdf, soffice }: Settings): Promise<boolean> {
  if (!pdf) return false;
  if (soffice === undefined) return (await findSoffice()) !== null || findWasmPackage() !== null;
  await requireSoffice(io, soffice);
  return true;
}

async function storedTokensInWords({ tokens }: SqliteStores): Promise<string[]> {
  const { length } = await tokens.list();
  if (length === 0) return [];
  return [`${length} ${length === 1 ? "token" : "tokens"} created with quire token create`];
}

function webhooksOf({
  webhookKey: primary,
  webhookKey2: secondary,
  webhookAllow: allow,
}: Settings): Pick<ServiceOptions, "webhooks"> {
  if (primary === undefined) {
    if (secondary === undefined && allow === undefined) return {};
    throw new QuireError(
      "invalid_request",
      "There are settings for webhooks, but no --webhook-key (or QUIRE_WEBHOOK_KEY), so no webhooks are sent. Set the key, or remove the other settings.",
    );
  }
  const keys = { primary, ...(secondary === undefined ? {} : { secondary }) };
  return { webhooks: { keys, ...(allow === undefined ? {} : { allow }) } };
}

function oauthOf({
  oauthAuthorizeUrl: authorizeUrl,
  oauthTokenUrl: tokenUrl,
}: Settings): Pick<ServiceOptions, "oauth"> {
  if (authorizeUrl === undefined && tokenUrl === undefined) return {};
  if (authorizeUrl !== undefined && tokenUrl !== undefined) {
    return { oauth: { authorizeUrl, tokenUrl } };
  }
  throw new QuireError(
    "invalid_request",
    "OAuth needs both --oauth-authorize-url and --oauth-token-url (or QUIRE_OAUTH_AUTHORIZE_URL and QUIRE_OAUTH_TOKEN_URL). Set both, or neither.",
  );
}

function engineOf({
  keepDays,
  concurrency,
  rendererMemory: memoryLimitMb,
}: Settings): NonNullable<ServiceOptions["engine"]> {
  return {
    renderer: renderPool({ heapLimitMb: memoryLimitMb - BUFFERS_MB, memoryLimitMb }),
    keepFinishedMs: keepDays * DAY_MS,
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

/** The memory that a rendering process needs outside its heap, in MiB, for its program and for the bytes of files. */
const BUFFERS_MB = 512;

function limitsOf({ maxBody, maxUpload, maxEntries, rate }: Settings): Partial<Limits> {
  return {
    ...(maxBody === undefined ? {} : { bodyBytes: maxBody }),
    ...(maxUpload === undefined ? {} : { uploadBytes: maxUpload }),
    ...(maxEntries === undefined ? {} : { entries: maxEntries }),
    ...(rate === undefined
      ? {}
      : { requestsPerMinute: rate === 0 ? Number.POSITIVE_INFINITY : rate }),
  };
}
