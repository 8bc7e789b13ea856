import { QuireError } from "@quire/contracts";
import { DEFAULT_LIMITS, type PackageLimits } from "../limits/limits.ts";

/** The number of open elements, and of tables among them. */
export interface Depth {
  readonly elements: number;
  readonly tables: number;
}

/** The depth outside all elements. */
export const GROUND: Depth = { elements: 0, tables: 0 };

/** Counts how many more elements a piece of canonical XML opens than it closes. */
export function opensIn(xml: string): Depth {
  let elements = 0;
  let tables = 0;
  for (let start = xml.indexOf("<"); start !== -1; start = xml.indexOf("<", start + 1)) {
    const kind = xml.charCodeAt(start + 1);
    if (kind === QUESTION) continue;
    const closes = kind === SLASH;
    if (!closes && xml.charCodeAt(xml.indexOf(">", start) - 1) === SLASH) continue;
    const step = closes ? -1 : 1;
    elements += step;
    if (isTable(xml, start + (closes ? 2 : 1))) tables += step;
  }
  return { elements, tables };
}

/**
 * Throws `limit_exceeded` if a rendered part is nested deeper than a template may be, because that would make a
 * converter hang. Values in the data can add nesting, too. The XML must be canonical. `before` is the depth at which
 * the XML begins.
 */
export function checkDepth(
  part: string,
  xml: string,
  limits: Pick<PackageLimits, "depth" | "tableNesting"> = DEFAULT_LIMITS,
  before = GROUND,
): void {
  let depth = before.elements;
  let { tables } = before;
  for (let start = xml.indexOf("<"); start !== -1; start = xml.indexOf("<", start + 1)) {
    const kind = xml.charCodeAt(start + 1);
    if (kind === QUESTION) continue;
    if (kind === SLASH) {
      depth -= 1;
      if (isTable(xml, start + 2)) tables -= 1;
      continue;
    }
    const table = isTable(xml, start + 1) ? 1 : 0;
    if (depth >= limits.depth) throw tooDeep(part, "elements", limits.depth);
    if (tables + table > limits.tableNesting) throw tooDeep(part, "tables", limits.tableNesting);
    if (xml.charCodeAt(xml.indexOf(">", start) - 1) === SLASH) continue;
    depth += 1;
    tables += table;
  }
}

const SLASH = 47;
const QUESTION = 63;

/** Whether the name at a position is `w:tbl`, and not `w:tblPr`. */
function isTable(xml: string, at: number): boolean {
  if (!xml.startsWith("w:tbl", at)) return false;
  const next = xml.charAt(at + "w:tbl".length);
  return next === ">" || next === " " || next === "/";
}

function tooDeep(part: string, what: string, limit: number): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The rendered part ${part} has ${what} nested deeper than ${limit} levels. Nest less in the template and in the data.`,
  );
}
