import type { NoteKind } from "../program/numbered.ts";
import type { CopiedProgram, NotesProgram, PartProgram } from "../program/programs.ts";
import type { PartTree } from "../template/tree.ts";
import { analyse, type CompileContext } from "./analysis.ts";
import { Emitter } from "./emitter.ts";
import { OptionalRelationships } from "./optional-relationships.ts";

/**
 * Compiles a part's tree, in which every block tag is a marker, into a program. The XML is written in document
 * order, and each marker opens, continues or closes a list of ops.
 */
export function compilePart(
  { part, prolog, root, list }: PartTree,
  context: CompileContext,
): PartProgram & Pick<CopiedProgram, "bookmarks"> {
  const emitter = new Emitter(analyse(part, root, context), context.headers.parts.has(part));
  emitter.assembly.write(prolog);
  emitter.node(root);
  const ops = emitter.assembly.finish();
  const relationships = new OptionalRelationships();
  relationships.read(ops, true);
  const optional = relationships.among(context.graph.idsIn(part));
  const { bookmarks } = emitter.assembly;
  return { part, optional: new Set([...optional, ...(list?.unlinked ?? [])]), ops, bookmarks };
}

/**
 * Compiles a part with footnotes, endnotes or comments. `referenced`: whether the main document has a program. If so, a
 * note is written once for each reference that the document contains. Notes in `kept` are always written.
 */
export function compileNotes(
  { part, prolog, root }: PartTree,
  kind: NoteKind,
  referenced: boolean,
  kept: ReadonlySet<number>,
  context: CompileContext,
): NotesProgram {
  const analysis = analyse(part, root, context);
  const relationships = new OptionalRelationships();
  const notes = root.children.flatMap((note) => {
    if (note.kind !== "element" || note.name !== `w:${kind}`) return [];
    const [before = "", number, after = ""] = note.attributes.split(/(?<= w:id=")(-?\d+)(?=")/);
    const id = number === undefined ? null : Number(number);
    const emitter = new Emitter(analysis, referenced, kind === "comment");
    emitter.noteBody(note, after);
    const body = emitter.assembly.finish();
    const { bookmarks } = emitter.assembly;
    const special = id === null || kept.has(id) || isSpecialNote(note.attributes);
    const lists = analysis.restarts.ofNote.get(note) ?? [];
    relationships.read(body, special || !referenced);
    return [{ id, special, before: `<${note.name}${before}`, bookmarks, lists, body }];
  });
  return {
    part,
    optional: relationships.among(context.graph.idsIn(part)),
    kind,
    referenced,
    head: `${prolog}<${root.name}${root.attributes}>`,
    tail: `</${root.name}>`,
    notes,
  };
}

/**
 * Whether these are the attributes of a special note, such as the separator line above the notes. Nothing refers to
 * special notes.
 */
export function isSpecialNote(attributes: string): boolean {
  return / w:type="(?!normal")/.test(attributes);
}
