import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Json } from "../../src/openapi/json.ts";

/** Holds answers against an OpenAPI document. Problems are sentences; none means that all is well. */
export interface Validator {
  /**
   * Of an answer to a request: `path` is that of the request, with or without what comes before it and a query. `body`
   * is the text of the answer, empty where there is none.
   */
  response(
    method: string,
    path: string,
    status: number,
    contentType: string | null,
    body: string,
  ): Promise<string[]>;
  /** Of a value against a schema, in which references lead into the document. */
  value(schema: Json, value: unknown): Promise<string[]>;
  close(): void;
}

/** What the child is asked; `id` comes back with the answer. */
export type Question =
  | { readonly kind: "document"; readonly id: number; readonly document: Json }
  | {
      readonly kind: "response";
      readonly id: number;
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly contentType: string | null;
      readonly body: string;
    }
  | {
      readonly kind: "value";
      readonly id: number;
      readonly schema: Json;
      readonly value: unknown;
    };

/** What the child answers. */
export interface Reply {
  readonly id: number;
  readonly problems: string[];
}

type Asked = Question extends infer Q ? (Q extends Question ? Omit<Q, "id"> : never) : never;

const CHILD = join(import.meta.dirname, "validator-child.ts");

/**
 * A validator of a document, in a process of its own: it makes code of schemas, which the processes of tests do not
 * allow. Rejects with what is wrong with the schemas of the document. The caller closes it, or ends with it.
 */
export async function openValidator(document: Json): Promise<Validator> {
  const child = fork(CHILD, [], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  // Nothing waits for it: it ends with its channel, so with whoever opened it.
  child.unref();
  child.channel?.unref();
  const ask = asker(child);
  const problems = await ask({ kind: "document", document });
  if (problems.length > 0) {
    child.kill();
    throw new Error(problems.join("\n"));
  }
  return {
    response: (method, path, status, contentType, body) =>
      ask({ kind: "response", method, path, status, contentType, body }),
    value: (schema, value) => ask({ kind: "value", schema, value }),
    close: () => void child.kill(),
  };
}

function asker(child: ChildProcess): (asked: Asked) => Promise<string[]> {
  const waiting = new Map<number, PromiseWithResolvers<string[]>>();
  let last = 0;
  let ended: Error | null = null;
  child.on("message", ({ id, problems }: Reply) => {
    waiting.get(id)?.resolve(problems);
    waiting.delete(id);
  });
  child.once("exit", (code) => {
    ended = new Error(`The validator has ended with the code ${code}.`);
    for (const { reject } of waiting.values()) reject(ended);
  });
  return (asked) => {
    if (ended !== null) return Promise.reject(ended);
    last += 1;
    const answer = Promise.withResolvers<string[]>();
    waiting.set(last, answer);
    child.send({ ...asked, id: last });
    return answer.promise;
  };
}
