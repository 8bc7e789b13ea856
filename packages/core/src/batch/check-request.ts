import {
  createTurns,
  type Diagnostic,
  fileNameProblem,
  type OutputType,
  pointerOf,
  QuireError,
  withExtension,
} from "@quire/contracts";
import { COMPRESSIONS } from "@quire/docx/internal/compile-options";
import { checkLocale, checkTimeZone } from "@quire/docx/internal/format/format-pattern";
import { readDate } from "@quire/docx/internal/format/read-date";
import { z } from "zod";
import { depthExceeds, isPlainObject, MAX_DEPTH } from "./data-depth.ts";
import { pdfSchema } from "./pdf-schema.ts";
import type { BatchRequest, GenerationEntry, StreamedBatchRequest } from "./request.ts";

function reference<T extends string>(type: T) {
  return z.object({
    // A missing type is accepted, as in the hosted service; a wrong type is not.
    type: z.literal(type).default(type as never),
    id: z.string().min(1),
  });
}

/** Returns a schema for a string. `check` returns the end of an error message; null if the string is valid. */
function checked(what: string, check: (name: string) => string | null) {
  return z.string().check((context) => {
    const why = check(context.value);
    if (why === null) return;
    const message = `The ${what} ${JSON.stringify(context.value)} ${why}.`;
    context.issues.push({ code: "custom", input: context.value, message });
  });
}

/** Returns why a text is not a date in ISO 8601; null if it is one. */
function checkDate(text: string): string | null {
  const date = readDate(text, null, "UTC");
  return "problem" in date ? date.problem : null;
}

const languageShape = {
  locale: checked("locale", checkLocale).optional(),
  time_zone: checked("time zone", checkTimeZone).optional(),
};

const entrySchema = z.object({
  generated_file_name: z.string(),
  user_input: z.custom<object>(isPlainObject),
  ...languageShape,
});

const batchShape = {
  file: reference("file"),
  file_version: reference("file_version").optional(),
  input_source: z.literal("api"),
  destination_folder: reference("folder"),
  output_type: z.enum(["docx", "pdf"]),
  on_conflict: z.enum(["rename", "fail"]).optional(),
  on_missing: z.enum(["keep", "blank", "fail"]).optional(),
  rich_text: z.enum(["detected", "tagged"]).optional(),
  compression: z.enum(COMPRESSIONS).optional(),
  flatten: z.boolean().optional(),
  pdf: pdfSchema.optional(),
  ...languageShape,
  now: checked("date", checkDate).optional(),
  delimiters: z
    .union([z.literal("auto"), z.object({ start: z.string().min(1), end: z.string().min(1) })])
    .optional(),
};

const batchSchema = z.object({
  ...batchShape,
  document_generation_data: z.array(entrySchema).min(1),
});

const streamedBatchSchema = z.object(batchShape);

/** Number of entries checked per turn: one or two milliseconds of work, even if all of them are invalid. */
const PIECE = 50;

/** The check stops after this number of problems, because a sparse array may have billions of elements. */
const MAX_PROBLEMS = 10_000;

/**
 * Checks a batch request and returns it in its parsed form, without unknown fields. Rejects with `invalid_request` with
 * **all** problems in `diagnostics`, each with a JSON Pointer; if only file names are invalid, the code is
 * `item_name_invalid`. With many entries, it yields to other work between pieces.
 */
export async function checkBatchRequest(input: unknown): Promise<BatchRequest> {
  const bySchema: Diagnostic[] = [];
  const beyondSchema: Diagnostic[] = [];
  const pieces: BatchRequest[] = [];
  const turns = createTurns();
  for (const { piece, start, isOnly } of piecesOf(input)) {
    if (!isOnly && (start === 0 || turns.isOver)) await turns.begin();
    const parsed = batchSchema.safeParse(piece, checkFrom(start));
    bySchema.push(...problemsOf(parsed.error, start));
    beyondSchema.push(...entryProblems(piece, start));
    if (parsed.success) pieces.push(parsed.data);
    if (bySchema.length + beyondSchema.length > MAX_PROBLEMS) break;
  }
  const problems = bySchema.concat(beyondSchema);
  const [first, ...others] = pieces;
  if (first === undefined || problems.length > 0) throw invalidRequest(problems);
  if (others.length === 0) return first;
  const entries = pieces.flatMap(({ document_generation_data }) => document_generation_data);
  return { ...first, document_generation_data: entries };
}

/** A request with some of its entries, the first of which has the index `start`. */
interface Piece {
  readonly piece: unknown;
  readonly start: number;
  readonly isOnly: boolean;
}

/** Splits the request into pieces, each with some of its entries. */
function* piecesOf(input: unknown): Generator<Piece> {
  const request = input as { readonly document_generation_data?: unknown } | null;
  const entries = request?.document_generation_data;
  if (!Array.isArray(entries) || entries.length <= PIECE) {
    yield { piece: input, start: 0, isOnly: true };
    return;
  }
  for (let start = 0; start < entries.length; start += PIECE) {
    const some: unknown[] = entries.slice(start, start + PIECE);
    yield { piece: { ...request, document_generation_data: some }, start, isOnly: false };
  }
}

/** Like {@link checkBatchRequest}, for a request whose entries are streamed and checked one by one later. */
export function checkStreamedBatchRequest(input: StreamedBatchRequest): StreamedBatchRequest {
  const parsed = streamedBatchSchema.safeParse(input, CHECK);
  if (!parsed.success) throw invalidRequest(problemsOf(parsed.error));
  return { ...parsed.data, document_generation_data: input.document_generation_data };
}

/** Checks one entry of a streamed batch. Throws like {@link checkBatchRequest}. */
export function checkEntry(input: unknown, outputType: OutputType): GenerationEntry {
  const parsed = entrySchema.safeParse(input, CHECK);
  const problems = [...problemsOf(parsed.error), ...problemsOfEntry(input, outputType, "")];
  if (!parsed.success || problems.length > 0) throw invalidRequest(problems);
  return parsed.data;
}

const CHECK = { error: (issue: z.core.$ZodRawIssue) => messageOf(issue), reportInput: true };

/** Like {@link CHECK}, for a request whose entries begin at the index `start`. */
function checkFrom(start: number): typeof CHECK {
  if (start === 0) return CHECK;
  const error = (issue: z.core.$ZodRawIssue) =>
    messageOf({ ...issue, path: pathFrom(start, issue.path ?? []) });
  return { ...CHECK, error };
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  object: "an object",
  number: "a number",
  boolean: "true or false",
  array: "a list",
};

/** Returns Quire's code for an issue, because zod's codes are internal and may change. */
function codeOf(issue: Pick<z.core.$ZodIssue, "code" | "input">): string {
  if (issue.input === undefined) return "required";
  switch (issue.code) {
    case "invalid_value":
    case "custom":
    case "unrecognized_keys":
      return "wrong_value";
    case "too_small":
      return "empty";
    default:
      return "wrong_type";
  }
}

const messageOf: z.core.$ZodErrorMap = (issue) => {
  const path = issue.path ?? [];
  const name = path.length === 0 ? "The request" : `The field '${String(path.at(-1))}'`;
  if (path.length > 0 && issue.input === undefined) return `${name} is required.`;
  switch (issue.code) {
    case "invalid_value": {
      const values = issue.values.map((value) => JSON.stringify(value)).join(" or ");
      return `${name} must be ${values}.`;
    }
    case "too_small":
      return `${name} must not be empty.`;
    case "unrecognized_keys":
      return `${name} has no option ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}.`;
    case "invalid_type":
      return `${name} must be ${EXPECTED[issue.expected] ?? issue.expected}.`;
    default:
      return `${name} must be an object.`;
  }
};

/**
 * Converts zod's issues to problems. `start` is the index of the first entry in this piece. Problems outside the
 * entries are reported with the first piece only.
 */
function problemsOf(error: z.ZodError | undefined, start = 0): Diagnostic[] {
  return (error?.issues ?? [])
    .filter(({ path }) => start === 0 || isEntry(path))
    .map((issue) => ({
      severity: "error",
      code: codeOf(issue),
      message: issue.message,
      pointer: pointerOf(pathFrom(start, issue.path).map(String)),
    }));
}

type EntryPath = [key: "document_generation_data", entry: number, ...PropertyKey[]];

function isEntry(path: PropertyKey[]): path is EntryPath {
  return path[0] === "document_generation_data" && typeof path[1] === "number";
}

/** Converts a path within a piece to a path within the whole request. */
function pathFrom(start: number, path: PropertyKey[]): PropertyKey[] {
  return isEntry(path) ? path.with(1, path[1] + start) : path;
}

/**
 * Returns problems that the schema does not find. The input may be any value, because these problems are reported
 * together with those of the schema.
 */
function entryProblems(input: unknown, start: number): Diagnostic[] {
  const request = input as { output_type?: unknown; document_generation_data?: unknown } | null;
  const entries = request?.document_generation_data;
  if (!Array.isArray(entries)) return [];
  const outputType = request?.output_type === "pdf" ? "pdf" : "docx";
  return entries.flatMap((entry: unknown, index) =>
    problemsOfEntry(entry, outputType, `/document_generation_data/${start + index}`),
  );
}

function problemsOfEntry(input: unknown, outputType: OutputType, pointer: string): Diagnostic[] {
  const entry = input as { generated_file_name?: unknown; user_input?: unknown } | null;
  const name = entry?.generated_file_name;
  const problems: Diagnostic[] = [];
  if (typeof name === "string") {
    const problem = fileNameProblem(name) ?? fileNameProblem(withExtension(name, outputType));
    if (problem !== null) {
      problems.push({
        severity: "error",
        code: "item_name_invalid",
        message: `The file name ${JSON.stringify(name)} ${problem}.`,
        hint: "Use one plain file name without folders.",
        pointer: `${pointer}/generated_file_name`,
      });
    }
  }
  if (isPlainObject(entry?.user_input) && depthExceeds(entry?.user_input, MAX_DEPTH)) {
    problems.push({
      severity: "error",
      code: "limit_exceeded",
      message: `The data is nested deeper than ${MAX_DEPTH} levels.`,
      pointer: `${pointer}/user_input`,
    });
  }
  return problems;
}

function invalidRequest(problems: readonly Diagnostic[]): QuireError {
  const names = problems.length > 0 && problems.every(({ code }) => code === "item_name_invalid");
  const [first] = problems;
  const where = first?.pointer ? ` (at ${first.pointer})` : "";
  const more =
    problems.length > 1
      ? ` There are ${problems.length} problems${problems.length > MAX_PROBLEMS ? " and maybe more" : " in total"}.`
      : "";
  return new QuireError(
    names ? "item_name_invalid" : "invalid_request",
    `${first?.message ?? "The request is not valid."}${where}${more}`,
    { diagnostics: problems },
  );
}
