import { boundedDiagnostics } from "../bounded-diagnostics.ts";
import { cutSentence, cutText } from "../cut-text.ts";
import type { CompileOptions } from "../docx/compile-options.ts";
import {
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  isQuireError,
  QuireError,
} from "../errors.ts";
import type { DataEncoding } from "./document-data.ts";
import type { DocumentTask } from "./document-task.ts";
import type { DocumentOptions } from "./renderer.ts";

/** What the pool sends: the kinds of its frames, worked through in the order in which they come. */
export const TO_PROCESS = {
  /** A template (the body), to be compiled and kept under a number. The head is a {@link TemplateHead}. */
  template: 1,
  /** The template with this number is not needed any more. */
  forget: 2,
  /** The data of a document (the body), and what to do with it. The head is a {@link DocumentHead}. */
  document: 3,
  /** The document with this number is not to be begun; out of order. */
  skip: 4,
  /** The answer to a question; out of order. The head is an {@link AnswerHead}. */
  answer: 5,
} as const;

/** What a process sends. */
export const FROM_PROCESS = {
  /** It can begin. */
  ready: 1,
  /** A template is compiled, or cannot be. The head is a {@link CompiledHead}. */
  compiled: 2,
  /** What came of it (the body), or why nothing did. The head is a {@link RenderedHead}. */
  rendered: 3,
  /** It needs a file to go on. The head is a {@link QuestionHead}. */
  question: 4,
} as const;

/** The pipes of a process, as file descriptors. */
export const PIPES = { input: 3, output: 4, guard: 5 } as const;

/** What the guard of a process says before it acts: one byte. */
export const GUARD = {
  /** The process has used much memory for a while: better a new one. */
  tired: 0x74,
  /** The process has used more memory than it may and is ended. */
  overfull: 0x6d,
} as const;

/** How a template is compiled. */
export interface TemplateHead extends Pick<CompileOptions, "delimiters" | "limits"> {
  /** Whether templates that it includes can be asked for. */
  readonly canInclude: boolean;
  /** Whether it is a PDF to keep unchanged, not a template. */
  readonly isPdf: boolean;
  /** Whether its bytes are the body; otherwise the process asks for them. */
  readonly isSent: boolean;
}

/** How a document is rendered, or checked. */
export interface DocumentHead extends Omit<DocumentOptions, "readFile" | "signal"> {
  readonly task: DocumentTask;
  /** The number of its template. */
  readonly template: number;
  readonly encoding: DataEncoding;
  /** Whether files can be asked for. */
  readonly canReadFiles: boolean;
}

export interface AnswerHead {
  readonly error?: WireError;
}

export interface CompiledHead {
  readonly error?: WireError;
}

export interface RenderedHead {
  readonly warnings?: readonly Diagnostic[];
  /** Of a filled form. */
  readonly pages?: number;
  readonly error?: WireError;
  /** There is no document, and why is known already: its template was wrong, or it was to be skipped. */
  readonly nothing?: "not compiled" | "skipped";
}

export interface QuestionHead {
  /** `own`: the template itself, which has no name. */
  readonly what: "template" | "file" | "own";
  readonly name: string;
}

/** An error on its way between two processes. */
export interface WireError {
  /** Null when it is no {@link QuireError}. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly retryable?: boolean;
  /** Its cause, or for a bug the error itself, as text. */
  readonly detail?: string;
  /** The number of the question whose answer it was. */
  readonly question?: number;
}

/** The most characters of a cause or a stack that are sent. */
const MAX_DETAIL = 4_000;

/** An error in the form in which it is sent, within the bound of a job. */
export function toWire(error: unknown): WireError {
  if (!isQuireError(error)) {
    return { code: null, message: messageOf(error), detail: detailOf(error) };
  }
  const { code, message, diagnostics, retryable, cause } = error;
  return {
    code,
    message,
    ...(diagnostics.length > 0 ? { diagnostics: boundedDiagnostics(diagnostics) } : {}),
    ...(retryable ? { retryable } : {}),
    ...(cause === undefined ? {} : { detail: detailOf(cause) }),
  };
}

/** The error that was sent. Its cause is a text now. */
export function fromWire({ code, message, diagnostics, retryable, detail }: WireError): Error {
  const cause = detail === undefined ? {} : { cause: new Error(detail) };
  if (code === null || !ERROR_CODES.includes(code)) return new Error(message, cause);
  return new QuireError(code, message, {
    diagnostics: diagnostics ?? [],
    retryable: retryable ?? false,
    ...cause,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? cutSentence(error.message)
    : "A value that is not an Error was thrown.";
}

function detailOf(error: unknown): string {
  const detail = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return cutText(detail, MAX_DETAIL);
}
