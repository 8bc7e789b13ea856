import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Json } from "../../src/openapi/json.ts";

/**
 * Checks responses against an OpenAPI document. Problems are sentences. Returns an empty list if the response is valid.
 */
export interface Validator {
  /**
   * Checks a response. `path` is the path of the request, with or without a prefix and a query. `body` is the text of
   * the response; empty if the response has no body.
   */
  response(
    method: string,
    path: string,
    status: number,
    contentType: string | null,
    body: string,
  ): Promise<string[]>;
  /** Checks a value against a schema whose references point into the document. */
  value(schema: Json, value: unknown): Promise<string[]>;
  close(): void;
}

/** A request to the child process. The response has the same `id`. */
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

/** A response of the child process. */
export interface Reply {
  readonly id: number;
  readonly problems: string[];
}

type Asked = Question extends infer Q ? (Q extends Question ? Omit<Q, "id"> : never) : never;

const CHILD = join(import.meta.dirname, "validator-child.ts");

/**
 * Opens a validator for a document in a separate process, because it compiles code from schemas, which is not allowed
 * in test processes. Rejects with the problems of the document's schemas. The caller closes the validator. Its process
 * also ends with the caller's process.
 */
export async function openValidator(document: Json): Promise<Validator> {
  const child = fork(CHILD, [], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  // The child process does not keep this process alive. It ends when its channel closes, or at the latest with this
  // process.
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
    ended = new Error(`The validator exited with code ${code}.`);
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
