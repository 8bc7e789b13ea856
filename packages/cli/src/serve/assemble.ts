import { QuireError } from "@quire/core/host";
import { findSoffice, findWasmPackage } from "@quire/pdf-libreoffice";
import { createService, type HttpService, type Limits, type ServiceOptions } from "@quire/service";
import { requireSoffice } from "../files/soffice.ts";
import type { Io } from "../terminal/io.ts";
import { authenticationOf } from "./authentication.ts";
import { engineOf, withParts } from "./parts.ts";
import type { Settings } from "./settings.ts";
import { openStores, type Stores } from "./stores.ts";

/** A service that is ready to start, and its description. */
export interface Assembled {
  readonly service: HttpService;
  /** The folder of the files, or the URL of their bucket. */
  readonly place: string;
  /** What the service makes, or accepts for workers to make, in words. */
  readonly output: string;
  /** The accepted tokens, in words; may be empty. */
  readonly letsIn: readonly string[];
  /** Whether PDFs are accepted. */
  readonly pdf: boolean;
}

/** Builds the service from the settings. If this fails, closes everything that has been opened. */
export async function assemble(io: Io, settings: Settings): Promise<Assembled> {
  checkRoles(settings);
  const { workers } = settings;
  /** Whether this process makes documents. */
  const work = settings.work && workers === undefined;
  // Whoever starts other workers decides whether they make PDFs.
  const pdf = settings.work ? await wantsPdf(io, settings) : settings.pdf;
  const makesPdf = work && pdf;
  const stores = await openStores(io, settings);
  return withParts(io, settings, { stores, makesPdf }, async (parts, place) => {
    const { authenticate, described } = authenticationOf(settings, stores.tokens);
    const engine = await engineOf(io, settings);
    const service = await createService({
      ...parts,
      authenticate,
      limits: limitsOf(settings),
      prefix: settings.prefix,
      ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
      ...oauthOf(settings),
      ...webhooksOf(settings),
      engine: work ? engine : { ...engine, work: false, acceptsConversions: pdf },
    });
    const letsIn = [...described, ...(await storedTokensInWords(stores))];
    return { service, place, output: outputInWords(settings, pdf), letsIn, pdf };
  });
}

function checkRoles({ work, workers }: Settings): void {
  if (work || workers === undefined) return;
  throw new QuireError(
    "invalid_request",
    "--workers starts processes that make documents, and --no-work leaves that to others. Remove one of them.",
  );
}

function outputInWords({ work, workers }: Settings, pdf: boolean): string {
  const types = pdf ? "docx, pdf" : "docx";
  if (!work) return `${types} (made by quire work)`;
  const made = pdf ? types : `${types} (no LibreOffice)`;
  if (workers === undefined) return made;
  return `${made}, made by ${workers} ${workers === 1 ? "worker" : "workers"}`;
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

async function storedTokensInWords({ tokens }: Stores): Promise<string[]> {
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
