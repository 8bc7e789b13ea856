import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { letter } from "../scenarios/letter.ts";
import { QUIRE } from "../word/syntax.ts";
import { writeDocuments } from "./documents.ts";
import type { Peer } from "./peers/peer.ts";
import type { PdfPoint, PdfSeries, PdfSettings } from "./results.ts";
import { measureWindow, openPeer, type Speed, type Surroundings } from "./session.ts";

/** Measures how peers convert many letters one after the other. Each peer runs in a separate process. */
export async function measureSeries(
  peers: readonly Peer[],
  { seriesDocuments, seriesStep }: PdfSettings,
  surroundings: Surroundings,
  folder: string,
): Promise<PdfSeries[]> {
  await mkdir(folder);
  const scenario = { scenario: letter, syntax: QUIRE, documents: seriesStep };
  const documents = await writeDocuments(scenario, join(folder, "documents"));
  const series: PdfSeries[] = [];
  for (const peer of peers) {
    const own = join(folder, peer.name);
    await mkdir(own);
    const session = openPeer(peer, surroundings, { documents, folder: own, inFlight: 1 });
    const points: PdfPoint[] = [];
    const offices = new Set<string>();
    try {
      // This starts LibreOffice once or twice. Only later starts count as restarts.
      const first = await measureWindow(session, { from: 0, fewest: 1, windowMs: 0 });
      for (let from = 0; from < seriesDocuments; from += seriesStep) {
        const speed = await measureWindow(session, { from, fewest: seriesStep, windowMs: 0 });
        for (const office of speed.offices) offices.add(office);
        points.push(pointOf(speed, from + seriesStep));
      }
      const { cpuMs, wallMs } = first;
      series.push({
        title: peer.title,
        first: { cpuMs, wallMs },
        points,
        restarts: offices.size - 1,
      });
    } finally {
      await session.close();
    }
  }
  return series;
}

function pointOf({ latenciesMs, cpuMs, peakMb }: Speed, documents: number): PdfPoint {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return {
    documents,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    slowestMs: at(1),
    cpuMs,
    residentMb: peakMb,
  };
}
