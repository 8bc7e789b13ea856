import { posix } from "node:path";
import { notXlsx, type XlsxArchive } from "./archive.ts";
import { attributeOf, readXml } from "./xml.ts";

/** The parts and settings of a workbook that are needed to read a sheet. */
export interface Workbook {
  /** The name of the part that contains the sheet to read. */
  readonly sheetPart: string;
  readonly sheetName: string;
  /** Null if the workbook has no shared strings. */
  readonly stringsPart: string | null;
  /** Null if the workbook has no styles. */
  readonly stylesPart: string | null;
  /** Whether the workbook counts days from 1904 instead of 1900. */
  readonly from1904: boolean;
}

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
}

/** A link from one part to another. */
interface Relationship {
  readonly id: string;
  /** The last segment of the type, which is a URL. For example `worksheet`. */
  readonly kind: string;
  readonly part: string;
}

/** Limit for lists of parts and sheets, which are small in real workbooks. */
const MAX_BYTES = 16_000_000;

/** Finds the sheet with this name, or the first visible sheet. Throws `invalid_data` if the sheet does not exist. */
export async function readWorkbook(
  archive: XlsxArchive,
  label: string,
  sheetName: string | undefined,
): Promise<Workbook> {
  const [main] = (await relationshipsOf(archive, label, "")).filter(
    ({ kind }) => kind === "officeDocument",
  );
  if (main === undefined || !archive.has(main.part)) {
    throw notXlsx(label, "it is not a workbook");
  }
  if (main.part.endsWith(".bin")) {
    throw notXlsx(label, "it is a binary workbook (.xlsb). Save it as .xlsx");
  }
  const related = await relationshipsOf(archive, label, main.part);
  const { sheets, from1904 } = await readSheets(archive, label, main.part, related);
  const sheet = chosenSheet(sheets, label, sheetName);
  const partOf = (kind: string): string | null => {
    const found = related.find((each) => each.kind === kind)?.part ?? null;
    return found !== null && archive.has(found) ? found : null;
  };
  return {
    sheetPart: sheet.part,
    sheetName: sheet.name,
    stringsPart: partOf("sharedStrings"),
    stylesPart: partOf("styles"),
    from1904,
  };
}

async function readSheets(
  archive: XlsxArchive,
  label: string,
  part: string,
  related: readonly Relationship[],
): Promise<{ readonly sheets: readonly Sheet[]; readonly from1904: boolean }> {
  const parts = new Map(
    related.filter(({ kind }) => kind === "worksheet").map(({ id, part }) => [id, part]),
  );
  const sheets: Sheet[] = [];
  let from1904 = false;
  await readXml({ label, part }, archive.read(part, MAX_BYTES), {
    open(name, attributes) {
      if (name === "workbookPr") from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
      if (name !== "sheet") return;
      // Charts and macros may also be sheets, but have no cells.
      const sheetPart = parts.get(attributeOf(attributes, "id") ?? "");
      if (sheetPart === undefined) return;
      const isHidden = /hidden/i.test(attributes.state ?? "");
      sheets.push({ name: attributes.name ?? "", isHidden, part: sheetPart });
    },
  });
  return { sheets, from1904 };
}

function chosenSheet(sheets: readonly Sheet[], label: string, name: string | undefined): Sheet {
  const found =
    name === undefined
      ? sheets.find(({ isHidden }) => !isHidden)
      : sheets.find((sheet) => sheet.name === name);
  if (found !== undefined) return found;
  const names = sheets.map((sheet) => JSON.stringify(sheet.name)).join(", ");
  throw notXlsx(
    label,
    name === undefined
      ? "all its sheets are hidden. Name one with --sheet"
      : `it has no sheet ${JSON.stringify(name)}. Its sheets are ${names}`,
  );
}

/** Reads the relationships of the part `owner`; `""` is the workbook as a whole. */
async function relationshipsOf(
  archive: XlsxArchive,
  label: string,
  owner: string,
): Promise<readonly Relationship[]> {
  const folder = posix.dirname(owner);
  const part = posix.join(folder, "_rels", `${posix.basename(owner)}.rels`);
  const found: Relationship[] = [];
  await readXml({ label, part }, archive.read(part, MAX_BYTES), {
    open(name, { Id: id, Type: type = "", Target: target, TargetMode: mode }) {
      if (name !== "Relationship" || id === undefined || target === undefined) return;
      if (mode === "External") return;
      const kind = type.slice(type.lastIndexOf("/") + 1);
      found.push({ id, kind, part: posix.resolve("/", folder, target).slice(1) });
    },
  });
  return found;
}
