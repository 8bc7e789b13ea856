import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { shuffled } from "../measure/rounds.ts";
import { type Spread, spreadOf } from "../measure/statistics.ts";
import { checkPdf, type PdfContent, readPdf } from "./check-pdf.ts";
import { type PdfScenario, textsOf, writeDocuments } from "./documents.ts";
import { ONE_LANE, TWO_LANES } from "./peers/all.ts";
import type { Peer, PeerRequest } from "./peers/peer.ts";
import type { PdfLine, PdfScenarioResult, PdfSettings } from "./results.ts";
import { measureWindow, openPeer, type Session, type Speed, type Surroundings } from "./session.ts";

/** A running peer. */
interface Contestant {
  readonly peer: Peer;
  readonly session: Session<PeerRequest>;
  readonly pdf: PdfContent;
}

/**
 * Checks a PDF of each peer, and then measures the peers in rounds, one at a time. Each round has a different order.
 * The first peer is the baseline.
 */
export async function measureScenario(
  pdfScenario: PdfScenario,
  peers: readonly Peer[],
  settings: PdfSettings,
  surroundings: Surroundings,
  folder: string,
): Promise<PdfScenarioResult> {
  await mkdir(folder);
  const documents = await writeDocuments(pdfScenario, join(folder, "documents"));
  const contestants: Contestant[] = [];
  try {
    for (const peer of peers) {
      const own = join(folder, peer.name);
      await mkdir(own);
      const session = openPeer(peer, surroundings, { documents, folder: own });
      try {
        const pdf = await checked(pdfScenario, peer, session, own, contestants[0]?.pdf);
        contestants.push({ peer, session, pdf });
      } catch (error) {
        await session.close();
        throw error;
      }
      await measureWindow(session, { from: 0, fewest: peer.pace, windowMs: settings.warmUpMs });
    }
    return resultOf(pdfScenario, contestants, await measureRounds(contestants, settings));
  } finally {
    for (const { session } of contestants) await session.close();
  }
}

/**
 * Returns the PDF of the first document. Throws if it lacks texts of the data, or if its text differs from the
 * baseline's PDF.
 */
async function checked(
  { scenario }: PdfScenario,
  { title }: Peer,
  session: Session<PeerRequest>,
  folder: string,
  baseline: PdfContent | undefined,
): Promise<PdfContent> {
  const file = join(folder, "first.pdf");
  await session.ask({ do: "save", file });
  const pdf = await readPdf(file);
  const pages = baseline?.pages ?? pdf.pages;
  checkPdf(pdf, { texts: textsOf(scenario.data(0)), pages }, title);
  if (baseline !== undefined && pdf.text !== baseline.text) {
    throw new Error(`In '${scenario.name}', the PDF of ${title} has a different text.`);
  }
  return pdf;
}

type Round = ReadonlyMap<Peer, Speed>;

async function measureRounds(
  contestants: readonly Contestant[],
  { rounds, windowMs, fewest }: PdfSettings,
): Promise<Round[]> {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const speeds = new Map<Peer, Speed>();
    for (const { peer, session } of shuffled(contestants, round)) {
      const documents = fewest * peer.pace;
      const window = { from: round * documents, fewest: documents, windowMs };
      speeds.set(peer, await measureWindow(session, window));
    }
    measured.push(speeds);
  }
  return measured;
}

function resultOf(
  { scenario }: PdfScenario,
  contestants: readonly Contestant[],
  rounds: readonly Round[],
): PdfScenarioResult {
  const [baseline] = contestants;
  if (baseline === undefined) throw new Error("The list of peers is empty.");
  const { name, title, description } = scenario;
  return {
    name,
    title,
    description,
    baseline: baseline.peer.title,
    pages: baseline.pdf.pages,
    lines: contestants.map((each) => lineOf(each, baseline.peer, rounds)),
    secondLane: ratio(rounds, ONE_LANE, TWO_LANES, "wallMs"),
  };
}

function lineOf({ peer, pdf }: Contestant, baseline: Peer, rounds: readonly Round[]): PdfLine {
  const own = rounds.flatMap((round) => round.get(peer) ?? []);
  return {
    engine: peer.title,
    cpuMs: spreadOf(own.map(({ cpuMs }) => cpuMs)),
    wallMs: spreadOf(own.map(({ wallMs }) => wallMs)),
    ratio: ratio(rounds, baseline, peer, "cpuMs") ?? spreadOf([1]),
    oneLaneRatio: ratio(rounds, peer, ONE_LANE, "cpuMs"),
    bytes: pdf.bytes,
    peakMb: Math.max(...own.map(({ peakMb }) => peakMb)),
  };
}

/** Returns how many times as much one peer used as another, round by round; null if one of them is missing. */
function ratio(
  rounds: readonly Round[],
  one: Peer,
  other: Peer,
  of: "cpuMs" | "wallMs",
): Spread | null {
  const ratios = rounds.flatMap((round) => {
    const [a, b] = [round.get(one), round.get(other)];
    return a === undefined || b === undefined ? [] : [a[of] / b[of]];
  });
  return ratios.length === 0 ? null : spreadOf(ratios);
}
