import type { PooledDocument } from "./pooled-document.ts";
import type { PooledTemplate } from "./pooled-template.ts";

/** Documents that wait for a process, in a line for each template. */
export interface WaitingLine {
  /** How many wait; those that were given up meanwhile count until their turn. */
  readonly length: number;
  add(document: PooledDocument): void;
  /** Puts documents first that had their turn already. */
  addFirst(documents: readonly PooledDocument[]): void;
  /** Takes the next one that is still wanted; null when there is none. */
  take(): PooledDocument | null;
}

/** So many documents of one template have their turn together: then one of the next template has. */
const TURN = 16;

interface Line {
  readonly template: PooledTemplate;
  documents: PooledDocument[];
  /** The first one that has not been taken. */
  next: number;
}

/** An empty line. Templates take turns, so that a few documents do not wait for many of another one. */
export function waitingLine(): WaitingLine {
  const lines = new Map<PooledTemplate, Line>();
  const again: PooledDocument[] = [];
  let length = 0;
  let turn = 0;

  const next = (): PooledDocument | undefined => {
    const first = again.shift();
    if (first !== undefined) return first;
    const [line] = lines.values();
    const document = line?.documents[line.next];
    if (line === undefined || document === undefined) return undefined;
    line.next += 1;
    turn += 1;
    const isEmpty = line.next === line.documents.length;
    if (isEmpty || turn >= TURN) {
      lines.delete(line.template);
      turn = 0;
      if (!isEmpty) {
        line.documents = line.documents.slice(line.next);
        line.next = 0;
        lines.set(line.template, line);
      }
    }
    return document;
  };

  return {
    get length() {
      return length;
    },
    add(document) {
      const { template } = document;
      const line = lines.get(template);
      if (line === undefined) lines.set(template, { template, documents: [document], next: 0 });
      else line.documents.push(document);
      length += 1;
    },
    addFirst(documents) {
      again.unshift(...documents);
      length += documents.length;
    },
    take() {
      for (let document = next(); document !== undefined; document = next()) {
        length -= 1;
        if (!document.isSettled) return document;
      }
      return null;
    },
  };
}
