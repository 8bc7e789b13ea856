import { type Converter, renderPool } from "@quire/core/host";
import {
  createLogger,
  createTelemetry,
  DEFAULT_QUOTAS,
  mostUsed,
  type ServiceParts,
} from "@quire/service";
import { converterFor } from "../files/soffice.ts";
import { svgFontsIn } from "../files/svg-fonts.ts";
import { type Io, rendererOf } from "../terminal/io.ts";
import { openStorage } from "./open-storage.ts";
import { quotasOf, type SharedSettings } from "./settings.ts";
import type { Stores } from "./stores.ts";

const DAY_MS = 24 * 3600 * 1000;
/** The memory that a rendering process needs outside its heap, in MiB, for its program and for the bytes of files. */
const BUFFERS_MB = 512;

/**
 * Calls the body with what a service and a worker have in common, and with the place of the files. If the body fails,
 * closes everything that has been opened.
 */
export async function withParts<Made>(
  io: Io,
  settings: SharedSettings,
  { stores, makesPdf }: { readonly stores: Stores; readonly makesPdf: boolean },
  body: (parts: Omit<ServiceParts, "engine">, place: string) => Promise<Made>,
): Promise<Made> {
  let converter: Converter | undefined;
  try {
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
      const { soffice } = settings;
      converter = converterFor(io, {
        ...(soffice === undefined ? {} : { soffice }),
        leastLayers: settings.sealLayers,
        memoryLimitMb: settings.officeMemory,
        ...(settings.processes === undefined ? {} : { concurrency: settings.processes }),
        onReplaced: (reason) => telemetry.converterRestarted(reason),
      });
    }
    const logger = createLogger({
      level: settings.logLevel,
      ...(io.log === undefined ? {} : { destination: io.log }),
    });
    const more = converter === undefined ? {} : { converter };
    return await body({ storage, stores, logger, telemetry, quotas, ...more }, place);
  } catch (error) {
    await converter?.close();
    await stores.close();
    throw error;
  }
}

/** Returns the options of the engine. Rejects `invalid_request` for fonts that cannot be used. */
export async function engineOf(
  io: Io,
  { keepDays, concurrency, processes, rendererMemory: memoryLimitMb, ...settings }: SharedSettings,
): Promise<NonNullable<ServiceParts["engine"]>> {
  const svgFonts = await svgFontsIn(io, settings.svgFonts);
  const heapLimitMb = memoryLimitMb - BUFFERS_MB;
  const many = processes === undefined ? {} : { processes };
  const fonts = svgFonts === undefined ? {} : { svgFonts };
  return {
    renderer: renderPool({ heapLimitMb, memoryLimitMb, ...many, ...fonts }),
    keepFinishedMs: keepDays * DAY_MS,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(svgFonts === undefined ? rendererOf(io) : {}),
  };
}
