import { dictOf, type PdfFile } from "../../pdf/pdf-file.ts";
import {
  type PdfDict,
  PdfName,
  type PdfRef,
  type PdfValue,
  unusual,
} from "../../pdf/pdf-syntax.ts";

const NAMES = /\/([^\0\t\n\f\r ()<>[\]{}/%]+)/g;

/** Kinds of resources that a page refers to by name. */
const NAMED: ReadonlySet<string> = new Set([
  "Font",
  "XObject",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
]);

/** Returns the shared resources that these streams use, directly or through forms that they draw. */
export function usedResources(
  file: PdfFile,
  resources: PdfRef,
  streams: readonly (PdfValue | undefined)[],
): PdfDict {
  const all = dictOf(file.resolve(resources));
  const used = new Map<string, Map<string, PdfValue>>();
  for (const [kind, value] of all) {
    if (NAMED.has(kind)) used.set(kind, new Map());
    else if (kind !== "ProcSet") unusual(`resources with ${kind} and ${typeof value}`);
  }
  const seen = new Set<string>();
  const waiting = [...streams];
  for (let stream = waiting.pop(); stream !== undefined; stream = waiting.pop()) {
    for (const name of namesIn(file, stream)) {
      if (seen.has(name)) continue;
      seen.add(name);
      waiting.push(...take(file, name, all, used));
    }
  }
  const rest = [...all].filter(([kind]) => !NAMED.has(kind));
  return new Map<string, PdfValue>([...[...used].filter(([, found]) => found.size > 0), ...rest]);
}

/** Records resources that are referred to by name. Returns those that use other resources. */
function take(
  file: PdfFile,
  name: string,
  all: PdfDict,
  used: ReadonlyMap<string, Map<string, PdfValue>>,
): PdfValue[] {
  const drawn: PdfValue[] = [];
  for (const [kind, found] of used) {
    const resource = file.dict(all.get(kind)).get(name);
    if (resource === undefined) continue;
    found.set(name, resource);
    if (hasNames(file, kind, resource)) drawn.push(resource);
  }
  return drawn;
}

/** Whether a resource uses other resources. */
function hasNames(file: PdfFile, kind: string, resource: PdfValue): boolean {
  if (kind === "Pattern") return file.dict(resource).get("PatternType") === 1;
  if (kind !== "XObject" && kind !== "Font") return false;
  const type = file.dict(resource).get("Subtype");
  if (!(type instanceof PdfName) || type.name === "Type3")
    return unusual("a Type 3 font, or a resource without a type");
  return kind === "XObject" && type.name === "Form";
}

function namesIn(file: PdfFile, stream: PdfValue): string[] {
  const text = file.contentOf(stream).toString("latin1");
  return Array.from(text.matchAll(NAMES), ([, name]) => name ?? "");
}
