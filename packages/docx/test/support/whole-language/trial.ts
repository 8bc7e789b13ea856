import { isQuireError } from "@quire/contracts";
import { Random } from "../../../../contracts/test/support/random.ts";
import type { RenderOptions } from "../../../src/index.ts";
import type { Op } from "../../../src/program/ops.ts";
import { compileTwins, type Observer, type Twins } from "../plain/compare.ts";
import { type Temper, type WholeTemplate, wholeData, wholeTemplate } from "../whole-language.ts";

const TEMPERS: readonly Temper[] = ["plain", "wild", "wrong"];

/** Every kind of op. Text ops have a kind for each mode, and column counts have one for each use. */
export const KINDS = [
  ...["static", "repeat", "section", "choose", "container", "table", "row", "paragraph", "flow"],
  ...["control", "once", "id", "bookmark", "list", "note", "link", "merge", "picture"],
  ...["numbering", "styled"],
  ...["reference", "sequence", "coveringRow", "cell", "cellSize"],
  ...["grid", "gridColumn", "tableSize", "cellWidth"],
  ...["run", "plain", "attribute", "instruction", "address", "addressPart"].map(textKind),
  ...["columns:sum", "columns:share"],
];

function textKind(mode: string): string {
  return `text:${mode}`;
}

/** Counts the outcomes of the cases. */
export class Tally implements Observer {
  templates = 0;
  noTemplates = 0;
  readonly outcomes = new Map<string, number>();
  readonly told = new Map<string, number>();
  readonly ops = new Map<string, number>();

  readonly op = (op: Op): void => {
    if (op.op === "text") count(this.ops, textKind(op.mode));
    else count(this.ops, op.op === "columns" ? `columns:${op.compute}` : op.op);
  };

  readonly outcome: Observer["outcome"] = (code, warnings) => {
    count(this.outcomes, code ?? "documents");
    for (const each of new Set(warnings.map((warning) => warning.code))) count(this.told, each);
  };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A difference, with the template and data that cause it. */
export interface Failure {
  readonly what: string;
  readonly template: Uint8Array;
  readonly data: unknown;
}

function optionsFor(random: Random): RenderOptions {
  return {
    onMissing: random.pick(["keep", "keep", "keep", "keep", "blank", "blank", "blank", "fail"]),
    richText: random.pick(["detected", "detected", "detected", "tagged"]),
    locale: random.pick(["en-US", "en-US", "de-AT", "fr-FR", "ar-EG", "ja-JP", "hi-IN"]),
    timeZone: random.pick(["UTC", "Europe/Vienna", "Pacific/Kiritimati"]),
  };
}

async function twinsOf({ bytes, options }: WholeTemplate): Promise<Twins | null> {
  try {
    return await compileTwins(bytes, options);
  } catch (error) {
    if (isQuireError(error) && error.code === "invalid_template") return null;
    throw error;
  }
}

/** Tests one template with three data entries. Returns null if the results are equal or the template is invalid. */
export async function tried(seed: number, size: number, tally: Tally): Promise<Failure | null> {
  const random = new Random(seed, size);
  const template = wholeTemplate(random);
  const twins = await twinsOf(template);
  if (twins === null) {
    tally.noTemplates += 1;
    return null;
  }
  tally.templates += 1;
  const forData = new Random(seed + 1, 0);
  const entries = TEMPERS.map((temper) => wholeData(forData, temper));
  if (forData.oneIn(4)) twins.warmUp(entries[0] ?? {});
  for (const data of entries) {
    const what = twins.difference(data, optionsFor(forData), tally);
    if (what !== null) return { what, template: template.bytes, data };
  }
  return null;
}

/** Returns the failure of the smallest template that also fails. */
export async function smallest(
  seed: number,
  size: number,
  failure: Failure,
): Promise<[number, Failure]> {
  for (let smaller = 1; smaller < size; smaller++) {
    const found = await tried(seed, smaller, new Tally()).catch(() => null);
    if (found !== null) return [smaller, found];
  }
  return [size, failure];
}
