import type { Programs } from "../program/programs.ts";
import type { DataNode, Facts, Use } from "./data-node.ts";
import { gather } from "./gather.ts";

/**
 * How the tags of a template use the value at one place in the data. Sources that contain only text, such as CSV, need
 * this to decide whether to read text as a number, as a boolean or as text.
 */
export interface PlaceUse {
  /** Whether a tag prints the value, or compares it with a string, so that its spelling matters. */
  readonly asText: boolean;
  /** Whether a tag accepts only text: `contains`, rich text, a link, a mask, a barcode, a picture. */
  readonly asTextOnly: boolean;
  /** Whether a tag computes with the value, or compares it with a number. */
  readonly asNumber: boolean;
  /** Whether a tag formats the value as a number. */
  readonly formattedNumber: boolean;
  /** Whether a tag formats the value as a date or a time. */
  readonly formattedDate: boolean;
  /** Whether a tag asks if the value comes before another. Both are numbers or dates. */
  readonly inOrder: boolean;
  /** Whether a tag compares the value with `true` or `false`. */
  readonly asBoolean: boolean;
  /** Whether a condition, a section or a check box tests if the value counts as true. */
  readonly asCondition: boolean;
  /** Whether the value has only the uses `asCondition` and `asBoolean`, so that only its truth matters. */
  readonly onlyTrueOrFalse: boolean;
  /** Strings that conditions compare with the value for equality. If there are more than 20, some may be missing. */
  readonly texts: readonly string[];
  /** The first three tags that use the value. */
  readonly tags: readonly string[];
}

/** Returns the use of the place that keys lead to, or null if no tag names it. */
export type PlaceUses = (keys: readonly string[]) => PlaceUse | null;

/**
 * Returns how programs use each place in the data. A name within a section may be a key of the section's item or of the
 * data around it. In that case, both places have the use.
 */
export function placeUsesOf(parts: Programs): PlaceUses {
  const { root } = gather(parts);
  return (keys) => {
    const found = new Set<DataNode>();
    collect(root, keys, found);
    return found.size === 0 ? null : placeUseOf([...found].map(({ facts }) => facts));
  };
}

/** Finds the nodes that keys may lead to, starting at a node. */
function collect(node: DataNode, keys: readonly string[], found: Set<DataNode>): void {
  const [key, ...rest] = keys;
  if (key === undefined) {
    found.add(node);
    return;
  }
  const inner = node.keys.get(key);
  if (inner !== undefined) collect(inner, rest, found);
  for (const each of node.keys.values()) {
    if (isSection(each)) collect(each, keys, found);
  }
}

function isSection({ facts, reading, keys }: DataNode): boolean {
  return facts.uses.has("section") && reading === "turns" && keys.size > 0;
}

const NUMBERS: readonly Use[] = [
  "operand",
  "divisor",
  "places",
  "whole",
  "aggregated",
  "numbered",
  "spelled",
];
const CONDITIONS: readonly Use[] = ["held", "section", "checkbox"];

/** Uses for which the type of a plain value does not matter, because the printed text is the same. */
const SPELLED_ALIKE: ReadonlySet<Use> = new Set([
  "printed",
  "matched",
  "delimited",
  "joined",
  "unformatted",
  "urlPart",
  "instruction",
]);

/** Uses that only test whether a value is true, and uses that only accompany others. */
const TRUTH: ReadonlySet<Use> = new Set([...CONDITIONS, "flagged", "tested", "compared", "asked"]);

/** Uses in which the spelling of a value does not matter. */
const SILENT: ReadonlySet<Use> = new Set([
  ...TRUTH,
  ...NUMBERS,
  ...([
    "number",
    "ordered",
    "dated",
    "date",
    "time",
    "zoned",
    "counted",
    "repeated",
    "listed",
  ] as const),
  ...(["flattened", "crossed", "entered", "deep"] as const),
]);

function placeUseOf(all: readonly Facts[]): PlaceUse {
  const uses = new Set(all.flatMap((facts) => [...facts.uses]));
  const has = (some: readonly Use[]): boolean => some.some((use) => uses.has(use));
  const shown = [...uses].filter((use) => !SILENT.has(use));
  const literals = all.flatMap(({ wanted, mentioned, avoided }) => [
    ...wanted,
    ...mentioned,
    ...avoided,
  ]);
  const [asBoolean, asCondition] = [uses.has("flagged"), has(CONDITIONS)];
  return {
    asText: shown.length > 0,
    asTextOnly: shown.some((use) => !SPELLED_ALIKE.has(use)),
    asNumber: has(NUMBERS),
    formattedNumber: uses.has("number"),
    formattedDate: has(["date", "time"]),
    inOrder: has(["ordered", "dated"]) && !has([...NUMBERS, "texted"]),
    asBoolean,
    asCondition,
    onlyTrueOrFalse: (asBoolean || asCondition) && [...uses].every((use) => TRUTH.has(use)),
    texts: literals.filter((literal) => typeof literal === "string"),
    tags: all.flatMap(({ tags }) => tags).slice(0, 3),
  };
}
