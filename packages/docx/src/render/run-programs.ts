import type { Compressed } from "@quire/ooxml/internal/write";
import type { LoweredProgram } from "../compile/lower.ts";
import type { Compressor } from "../deflate/pieces.ts";
import { withScratch } from "../deflate/scratch.ts";
import { valueBytes } from "../deflate/value-bytes.ts";
import type { CopiedProgram, NotesProgram } from "../program/programs.ts";
import type { NoteUse } from "./output.ts";
import type { Rendering, Running } from "./rendering.ts";
import { Run } from "./run.ts";

/** Writes the content of a part. */
export type WritePart = (part: string, content: Compressed) => void;

/**
 * Runs the program of one part with the data and compresses the output. Writes nothing if the compressor is null. Adds
 * problems to the diagnostics. Throws `limit_exceeded` if the budget is used up.
 */
export function runProgram(
  program: LoweredProgram,
  running: Running,
  compressor: Compressor | null,
  write: WritePart,
): void {
  writing(program.part, running, () => {
    const run = new Run(program.part, running, compressor, program.buffers);
    run.list(program.ops, null);
    finish(program, run, running, write);
  });
}

/** Like {@link runProgram}, for notes. Call this after all parts that may refer to notes have been written. */
export function runNotes(
  program: NotesProgram,
  running: Running,
  compressor: Compressor | null,
  write: WritePart,
): void {
  const { rendering } = running;
  writing(program.part, running, () => {
    const run = new Run(program.part, running, compressor, true, true);
    run.writer.write(program.head, "other");
    for (const note of program.notes) {
      if (note.special || !program.referenced) run.note(note, { id: note.id, scope: null }, false);
    }
    const notes = new Map(program.notes.map((note) => [note.id, note]));
    const written = new Set<number>();
    for (const use of usesOf(program, rendering)) {
      const note = notes.get(use.original);
      if (note === undefined || note.special) continue;
      run.note(note, use, written.has(use.original));
      written.add(use.original);
    }
    run.writer.write(program.tail, "other");
    finish(program, run, running, write);
  });
}

/**
 * Runs the programs of copied parts once for each iteration that shows them. Call this after all parts that may show
 * them have been written.
 */
export function runCopies(
  programs: ReadonlyMap<string, CopiedProgram>,
  running: Running,
  compressor: Compressor | null,
  write: WritePart,
): void {
  const { output } = running.rendering;
  for (const { plan, names, scope, isOriginal } of output.copies.all) {
    for (const { part, content } of plan.parts) {
      const program = programs.get(part);
      const name = names.get(part);
      if (program === undefined || content !== null || name === undefined) continue;
      if (output.needed.omitted.has(name)) continue;
      writing(part, running, () => {
        const run = new Run(name, running, compressor, true);
        if (!isOriginal) run.copy = { bookmarks: program.bookmarks, names: new Map() };
        run.list(program.ops, scope);
        const optional = isOriginal ? program.optional : NOTHING;
        finish({ part: name, optional }, run, running, write);
        if (!isOriginal) output.needed.copied(part, run.writer.relationships.ids);
      });
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function finish(
  program: Pick<LoweredProgram, "part" | "optional">,
  run: Run,
  { rendering }: Running,
  write: WritePart,
): void {
  const content = run.finish();
  rendering.output.needed.wrote(program, run.writer.relationships.ids);
  if (content !== null) write(program.part, content);
}

function writing(part: string, { rendering }: Running, write: () => void): void {
  rendering.budget.within(part, () =>
    withScratch(() => {
      valueBytes.clear();
      return write();
    }),
  );
}

/**
 * Returns the references to notes, in writing order. Notes without a reference are omitted. Footnotes and endnotes are
 * in the order of their references, because LibreOffice matches them by order. Comments keep their own order.
 */
function usesOf({ kind, notes }: NotesProgram, { output }: Rendering): readonly NoteUse[] {
  const uses = output.notes[kind];
  if (kind !== "comment") return uses;
  const byOriginal = Map.groupBy(uses, ({ original }) => original);
  return notes.flatMap(({ id }) => (id === null ? [] : (byOriginal.get(id) ?? [])));
}
