import { type AnswerHead, type QuestionHead, TO_PROCESS, toWire } from "../protocol/messages.ts";
import type { HeldTemplates } from "./held-templates.ts";
import { type InFlight, questionAnswered, questionOpened } from "./in-flight.ts";
import type { ChildSupervisor } from "./pool-child.ts";
import type { ProcessLink } from "./process-link.ts";

/** A request from a process for a file that it needs for its current work. */
export interface Question extends QuestionHead {
  readonly id: number;
}

/** Reads the file and sends it, or the error, to the process. Until then, the deadline of the work is paused. */
export function answerQuestion(
  { id, what, name }: Question,
  item: InFlight,
  held: HeldTemplates,
  link: ProcessLink,
  supervisor: Pick<ChildSupervisor, "onIncluded">,
): void {
  questionOpened(item, performance.now());
  void read(what, name, item, held, supervisor)
    .then(
      (bytes) => link.send(TO_PROCESS.answer, id, null, bytes),
      (error: unknown) => {
        item.errors.set(id, error);
        const head: AnswerHead = { error: toWire(error) };
        link.send(TO_PROCESS.answer, id, head);
      },
    )
    .finally(() => questionAnswered(item, performance.now()));
}

async function read(
  what: QuestionHead["what"],
  name: string,
  { document, held: template }: InFlight,
  held: HeldTemplates,
  supervisor: Pick<ChildSupervisor, "onIncluded">,
): Promise<Uint8Array> {
  if (document === null && what === "own") return template.owner.read();
  if (document === null && what === "template") {
    held.rename(template);
    const bytes = await template.owner.include(name);
    supervisor.onIncluded(template.owner);
    return bytes;
  }
  const { readFile, signal, svgFonts } = document?.options ?? {};
  const font = what === "font" ? svgFonts?.[Number(name)] : undefined;
  if (font !== undefined) return font;
  if (readFile === undefined || what !== "file") throw new Error("No files can be read here.");
  return readFile(name, signal);
}
