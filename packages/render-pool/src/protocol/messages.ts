import {
  boundedDiagnostics,
  cutSentence,
  cutText,
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  isQuireError,
  QuireError,
} from "@quire/contracts";
import type { CompileOptions } from "@quire/docx/internal/compile-options";
import type { DataEncoding } from "./document-data.ts";
import type { DocumentTask } from "./document-task.ts";
import type { DocumentOptions } from "./renderer.ts";

/** The kinds of frames that the pool sends. A process handles them in order, unless stated otherwise. */
export const TO_PROCESS = {
  /** A template (the body) to compile and to keep under this number. The head is a {@link TemplateHead}. */
  template: 1,
  /** The template with this number is no longer needed. */
  forget: 2,
  /** The data of a document (the body) and a task. The head is a {@link DocumentHead}. */
  document: 3,
  /** The document with this number must not be started. Handled out of order. */
  skip: 4,
  /** The answer to a question. Handled out of order. The head is an {@link AnswerHead}. */
  answer: 5,
} as const;

/** The kinds of frames that a process sends. */
export const FROM_PROCESS = {
  /** The process is ready. */
  ready: 1,
  /** A template is compiled, or its compilation failed. The head is a {@link CompiledHead}. */
  compiled: 2,
  /** The result of a task (the body), or its error. The head is a {@link RenderedHead}. */
  rendered: 3,
  /** The process needs a file to continue. The head is a {@link QuestionHead}. */
  question: 4,
} as const;

/** The pipes of a process, as file descriptors. */
export const PIPES = { input: 3, output: 4, guard: 5 } as const;

/** The bytes that the guard thread of a process sends to the pool. */
export const GUARD = {
  /** The process has used much memory for some time and should be replaced. */
  tired: 0x74,
  /** The process has exceeded its memory limit. After this byte, the guard kills the process. */
  overfull: 0x6d,
} as const;

/** Options for compiling a template. */
export interface TemplateHead extends Pick<CompileOptions, "delimiters" | "limits"> {
  /** Whether the process can ask for included templates. */
  readonly canInclude: boolean;
  /** Whether the file was opened with `openPdf`. If so, it is not a template. */
  readonly isPdf: boolean;
  /** Whether the body contains the bytes of the file. If not, the process asks for them. */
  readonly isSent: boolean;
}

/** Options for rendering or checking a document. */
export interface DocumentHead extends Omit<DocumentOptions, "readFile" | "signal"> {
  readonly task: DocumentTask;
  /** The number of the template. */
  readonly template: number;
  readonly encoding: DataEncoding;
  /** Whether the process can ask for files. */
  readonly canReadFiles: boolean;
  /** The number of fonts for the text of SVGs, for which the process can ask. */
  readonly fontCount: number;
}

export interface AnswerHead {
  readonly error?: WireError;
}

export interface CompiledHead {
  readonly error?: WireError;
}

export interface RenderedHead {
  readonly warnings?: readonly Diagnostic[];
  /** Number of pages; only for a filled form. */
  readonly pages?: number;
  readonly error?: WireError;
  /** Why there is neither a document nor an error: the template is invalid, or the pool withdrew the document. */
  readonly nothing?: "not compiled" | "skipped";
}

export interface QuestionHead {
  /** The kind of file. `own` is the template itself, which has no name. The name of a font is its index. */
  readonly what: "template" | "file" | "own" | "font";
  readonly name: string;
}

/** An error, encoded for another process. */
export interface WireError {
  /** The code of a {@link QuireError}; null for any other error. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly retryable?: boolean;
  /** The cause as text. For a bug, the error itself as text. */
  readonly detail?: string;
  /** The number of the question to which the error was the answer. */
  readonly question?: number;
}

/** Maximum length of a cause or a stack trace, in characters. */
const MAX_DETAIL = 4_000;

/** Encodes an error for another process. Limits its messages and problems, like those of a job. */
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

/** Decodes an error. The cause becomes an error whose message is `detail`. */
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
