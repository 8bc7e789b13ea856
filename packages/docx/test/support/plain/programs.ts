import type { CopiedProgram, NotesProgram, PartProgram } from "../../../src/program/programs.ts";
import type { NoteUse } from "../../../src/render/output.ts";
import type { Rendering } from "../../../src/render/rendering.ts";
import type { Places } from "./part-writer.ts";
import { Run, type Watch } from "./run.ts";

/** Dependencies shared by the programs of one document. */
export interface Running {
  readonly rendering: Rendering;
  readonly watch: Watch;
  readonly places: Places;
}

/**
 * Runs the program of one part over the data and adds to the diagnostics. Throws
 * `limit_exceeded` if the budget is exhausted.
 */
export function runProgram(program: PartProgram, running: Running): string {
  return running.rendering.budget.within(program.part, () => {
    const run = new Run({ part: program.part, inNote: false, ...running });
    run.list(program.ops, null);
    return run.finish();
  });
}

/** A copy of a part for an iteration, with its own name and the one in the template. */
interface WrittenCopy {
  readonly name: string;
  readonly part: string;
  readonly xml: string;
}

/** Runs the programs of copied parts once for each iteration that shows them. */
export function runCopies(programs: readonly CopiedProgram[], running: Running): WrittenCopy[] {
  const written: WrittenCopy[] = [];
  const { rendering } = running;
  for (const { plan, names, scope, isOriginal } of rendering.output.copies.all) {
    for (const { part, ops, bookmarks } of programs) {
      const name = names.get(part);
      if (name === undefined || plan.isNew) continue;
      const run = new Run({ part: name, inNote: false, ...running });
      if (!isOriginal) run.copy = { bookmarks, names: new Map() };
      run.list(ops, scope);
      written.push({ name, part, xml: run.finish() });
    }
  }
  return written;
}

/** Like {@link runProgram}, for notes. Call this after all parts that may refer to them have been written. */
export function runNotes(program: NotesProgram, running: Running): string {
  return running.rendering.budget.within(program.part, () => {
    const run = new Run({ part: program.part, inNote: true, ...running });
    run.writer.write(program.head, "other");
    for (const note of program.notes) {
      if (note.special || !program.referenced) run.note(note, { id: note.id, scope: null }, false);
    }
    const notes = new Map(program.notes.map((note) => [note.id, note]));
    const written = new Set<number>();
    for (const use of usesOf(program, running.rendering)) {
      const note = notes.get(use.original);
      if (note === undefined || note.special) continue;
      run.note(note, use, written.has(use.original));
      written.add(use.original);
    }
    run.writer.write(program.tail, "other");
    return run.finish();
  });
}

/**
 * Returns the references to notes, in the order in which the notes are written, without unreferenced notes. Footnotes
 * and endnotes have the order of their references, because LibreOffice matches them by order. Comments keep their
 * order.
 */
function usesOf({ kind, notes }: NotesProgram, { output }: Rendering): readonly NoteUse[] {
  const uses = output.notes[kind];
  if (kind !== "comment") return uses;
  const byOriginal = Map.groupBy(uses, ({ original }) => original);
  return notes.flatMap(({ id }) => (id === null ? [] : (byOriginal.get(id) ?? [])));
}
