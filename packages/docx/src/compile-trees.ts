import type { DocxPackage } from "@quire/ooxml/internal/open";
import type { CompileContext } from "./compile/analysis.ts";
import { compileNotes, compilePart } from "./compile/compile.ts";
import { settleRanges } from "./compile/ranges.ts";
import type { References } from "./compile/references/references.ts";
import { settleReferences } from "./compile/references/settle-references.ts";
import type { Delimiters } from "./language/delimiters/delimiters.ts";
import type { NoteKind } from "./program/numbered.ts";
import type { Op } from "./program/ops.ts";
import type { CopiedProgram, NotesProgram, PartProgram } from "./program/programs.ts";
import { joinReferences } from "./template/fields/references.ts";
import type { PartTree } from "./template/tree.ts";

/** The programs of a template. */
export interface Programs {
  readonly programs: readonly PartProgram[];
  /** The programs of parts that each repetition shows with other values. */
  readonly copied: readonly CopiedProgram[];
  readonly notes: readonly NotesProgram[];
}

/**
 * Compiles all parts. The last trees must be the notes and then the comments, because their content depends on the
 * parts that refer to them. A note or comment that data cannot change is copied unchanged.
 */
export function compileTrees(
  trees: readonly PartTree[],
  docx: DocxPackage,
  context: CompileContext,
): Programs {
  const { references, copiedParts } = context;
  const programs: PartProgram[] = [];
  const copied: CopiedProgram[] = [];
  const notes: NotesProgram[] = [];
  for (const tree of trees) {
    const kind = NOTES.get(tree.root.name) ?? null;
    const own = tree.tags.length > 0 || tree.changed || references.changed.has(tree);
    const original = copiedParts.get(tree.part);
    if (original !== undefined) {
      copied.push({ ...compilePart(tree, context), original });
      continue;
    }
    if (kind === null) {
      if (own) programs.push(compilePart(tree, context));
      continue;
    }
    const referenced = programs.some(({ part }) => part === docx.mainPart);
    const uses = usesOf({ programs, notes }, kind);
    const ids = kind === "comment" ? idsOf(tree) : [];
    const kept = keptComments(ids, docx, { programs, notes });
    if (own || (referenced && (isRepeated(uses) || hasUnused(ids, uses, kept)))) {
      notes.push(compileNotes(tree, kind, referenced, kept, context));
    }
  }
  return { programs, copied, notes };
}

/** Finds and resolves the references of all parts. Changes the trees. */
export function referencesOf(
  trees: readonly PartTree[],
  docx: DocxPackage,
  delimiters: Delimiters,
): References {
  for (const { root } of trees) {
    settleRanges(root);
    joinReferences(root);
  }
  return settleReferences(trees, otherBookmarks(trees, docx), delimiters);
}

/** Returns the names, in lower case, of bookmarks in parts that are copied unchanged. */
function otherBookmarks(trees: readonly PartTree[], docx: DocxPackage): Set<string> {
  const read = new Set(trees.map(({ part }) => part));
  const names = new Set<string>();
  for (const part of docx.storyParts) {
    if (read.has(part)) continue;
    for (const [mark] of docx.readText(part).matchAll(/<[^<>]*bookmarkStart\s[^<>]*/g)) {
      names.add((/:name\s*=\s*["']([^"']*)/.exec(mark)?.[1] ?? "").toLowerCase());
    }
  }
  return names;
}

const NOTES: ReadonlyMap<string, NoteKind> = new Map([
  ["w:footnotes", "footnote"],
  ["w:endnotes", "endnote"],
  ["w:comments", "comment"],
]);

/** A reference to a note, and whether it is in a block, which may repeat or omit it. */
interface Use {
  readonly id: number;
  readonly inBlock: boolean;
}

/** The ops whose body a document may repeat or leave out, apart from those with branches. */
const BLOCKS: ReadonlySet<Op["op"]> = new Set(["repeat", "section", "cell"]);

/** Returns all references to notes of one kind. Each note is written once for each reference to it. */
function usesOf({ programs, notes }: Omit<Programs, "copied">, kind: NoteKind): Use[] {
  const uses: Use[] = [];
  const visit = (ops: readonly Op[], inBlock: boolean): void => {
    for (const op of ops) {
      if (op.op === "note" && op.kind === kind) uses.push({ id: op.id, inBlock });
      if (op.op === "choose") for (const { body } of op.branches) visit(body, true);
      if ("body" in op) visit(op.body, inBlock || BLOCKS.has(op.op));
    }
  };
  for (const { ops } of programs) visit(ops, false);
  for (const program of notes) for (const { body } of program.notes) visit(body, true);
  return uses;
}

/** Whether any note may be referenced more than once or not at all. */
function isRepeated(uses: readonly Use[]): boolean {
  return (
    new Set(uses.map(({ id }) => id)).size < uses.length || uses.some(({ inBlock }) => inBlock)
  );
}

/** Whether any note is no longer referenced, for example because it was attached to a tag that has been removed. */
function hasUnused(
  ids: readonly number[],
  uses: readonly Use[],
  kept: ReadonlySet<number>,
): boolean {
  const used = new Set(uses.map(({ id }) => id));
  return ids.some((id) => !used.has(id) && !kept.has(id));
}

/**
 * Returns the comments that are always kept: comments to which unchanged parts refer, and comments without any
 * reference in the template.
 */
function keptComments(
  ids: readonly number[],
  docx: DocxPackage,
  { programs, notes }: Omit<Programs, "copied">,
): Set<number> {
  const changed = new Set([...programs, ...notes].map(({ part }) => part));
  const [inPrograms, elsewhere] = [new Set<number>(), new Set<number>()];
  for (const part of docx.storyParts) {
    const found = changed.has(part) ? inPrograms : elsewhere;
    for (const [reference] of docx.readText(part).matchAll(/<[^<>]*commentReference\s[^<>]*/g)) {
      found.add(Number(/:id\s*=\s*["'](-?\d+)/.exec(reference)?.[1]));
    }
  }
  return new Set(ids.filter((id) => elsewhere.has(id) || !inPrograms.has(id)));
}

function idsOf({ root }: PartTree): number[] {
  return root.children.flatMap((node) =>
    node.kind === "element" ? [Number(/ w:id="(-?\d+)"/.exec(node.attributes)?.[1])] : [],
  );
}
