import { Buffer } from "node:buffer";
import type { DocxPackage } from "@quire/ooxml/internal/open";
import type { ArchiveEntry } from "@quire/ooxml/internal/package/archive";
import { deflated } from "@quire/ooxml/internal/package/zip";
import type { PartContent } from "@quire/ooxml/internal/write";
import type { CopiedRelationship, CopyPlan, PlannedPart } from "./program/copy-plan.ts";
import type { TemplateRelationship } from "./render/references/package-lists.ts";
import { FIGURE_KINDS } from "./template/figures.ts";
import type { LoopedChart } from "./template/looped-figures.ts";
import type { PlacedHeaders } from "./template/looped-headers.ts";
import type { PartTree } from "./template/tree.ts";

/** What a plan needs to know about a template. */
interface PlannedFrom {
  readonly docx: DocxPackage;
  readonly trees: readonly PartTree[];
  /** Returns the relationships of a part that every copy of it needs. */
  readonly relationshipsOf: (part: string) => readonly TemplateRelationship[];
}

/**
 * The kinds of relationships to parts of which Word stores one for each chart. Copies share other parts, such as
 * pictures.
 */
const COPIED: ReadonlySet<string> = new Set([
  ...FIGURE_KINDS,
  ...["chartStyle", "chartColorStyle", "themeOverride", "package", "oleObject"],
]);

/**
 * Returns how to copy charts, headers and footers. A copy of a chart has its own workbook, colors and so on, like a
 * chart that was copied in Word. Copies of a header share everything else.
 */
export function copyPlans(
  charts: ReadonlyMap<string, LoopedChart>,
  headers: PlacedHeaders,
  from: PlannedFrom,
): ReadonlyMap<string, CopyPlan> {
  const story = from.docx.mainPart;
  const plans = new Map([...charts].map(([part, chart]) => [part, planOf(chart, from, true)]));
  for (const [part, element] of headers.parts) {
    const plan = planOf({ part, story, figures: new Set() }, from, false);
    plans.set(part, plan);
    if (!plans.has(element)) plans.set(element, emptyPlan(plan, from.trees));
  }
  return plans;
}

/** Returns the plan for an empty header of the same kind, which no template has. */
function emptyPlan({ type, parts }: CopyPlan, trees: readonly PartTree[]): CopyPlan {
  return {
    type,
    isNew: true,
    parts: parts.map((header) => {
      const tree = trees.find(({ part }) => part === header.part);
      if (tree === undefined) throw new Error("The header has no tree.");
      const { name, attributes } = tree.root;
      const xml = `${tree.prolog}<${name}${attributes}><w:p/></${name}>`;
      return { ...header, relationships: [], content: { ...deflated(Buffer.from(xml)) } };
    }),
  };
}

function planOf(
  { part: chart, story, figures }: Pick<LoopedChart, "part" | "story" | "figures">,
  { docx, trees, relationshipsOf }: PlannedFrom,
  copiesOthers: boolean,
): CopyPlan {
  const { type = "" } = docx.relationshipsOf(story).find(({ part }) => part === chart) ?? {};
  const byPart = new Map(trees.map((tree) => [tree.part, tree]));
  const entries = new Map(docx.entries.map((entry) => [entry.name, entry]));
  const parts: PlannedPart[] = [];
  const found = new Set([chart]);
  // The loop also visits the parts that it adds.
  for (const part of found) {
    const kept = new Set(relationshipsOf(part).map(({ id }) => id));
    const unlinked = byPart.get(part)?.list?.unlinked;
    const relationships: CopiedRelationship[] = [];
    for (const { id, type, kind, target, external, part: to } of docx.relationshipsOf(part)) {
      if (!kept.has(id) || unlinked?.has(id)) continue;
      // In a malformed file, the target may be any part. Other parts with tags have their own programs.
      const isOwn = copiesOthers && COPIED.has(kind);
      const copied = to !== null && isOwn && (figures.has(to) || !byPart.has(to)) ? to : null;
      if (copied !== null) found.add(copied);
      relationships.push({ id, type, target, external, part: copied });
    }
    const entry = entries.get(part);
    parts.push({
      part,
      contentType: contentTypeOf(part, docx),
      relationships,
      content: byPart.has(part) ? null : contentOf(entry, () => docx.readBytes(part)),
      size: entry?.raw.length ?? 0,
    });
  }
  return { type, isNew: false, parts };
}

/** Returns the content of a part, compressed as in the template. */
function contentOf(entry: ArchiveEntry | undefined, bytes: () => Uint8Array): PartContent {
  if (entry?.method !== 8) return { ...deflated(bytes()) };
  const { crc32, size, raw } = entry;
  return { crc32, size, pieces: [raw] };
}

/** Returns the content type of a part in the spelling of the template; null if it has none. */
function contentTypeOf(part: string, docx: DocxPackage): string | null {
  const type = docx.contentTypeOf(part);
  if (type === undefined) return null;
  const { contentTypesXml: xml } = docx;
  const at = xml.toLowerCase().indexOf(type);
  return at === -1 ? type : xml.slice(at, at + type.length);
}
