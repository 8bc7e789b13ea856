import { errorBody, type Json, Problem, type WireCode } from "@quire/http/parts";

/** One cause of an error, with an example. */
export interface ErrorCase {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The cause. Backticks enclose code. */
  readonly when: string;
  /** What the reader can do. */
  readonly remedy: string;
  /** The message in the example. */
  readonly message: string;
  /** `context_info` in the example. */
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** The documentation of an error code. */
export interface CodePage {
  /** The meaning of the code in one or more sentences. Backticks enclose code. */
  readonly meaning: string;
  /** The causes of the error. Empty for codes of the hosted service that this service never returns. */
  readonly cases: readonly ErrorCase[];
}

/** The request id in the examples of errors. */
const EXAMPLE_REQUEST_ID = "0a7c2f5e-6c0e-4a53-9d0b-3a0c6c0b8f11";

/** Returns an error in its wire format. `helpUrl` is the address of the page about error codes. */
export function exampleError(code: WireCode, about: ErrorCase, helpUrl: string): Json {
  const { status, message, context } = about;
  const problem = new Problem(status, code, message, { context: context ?? undefined });
  return { ...errorBody(problem, EXAMPLE_REQUEST_ID, helpUrl) };
}

/** Returns the error examples for a status in the OpenAPI document: Example Objects, by code. */
export function errorExamples(
  codes: Readonly<Record<WireCode, CodePage>>,
  status: number,
  helpUrl: string,
): Json {
  const examples: Record<string, Json> = {};
  for (const [code, { cases }] of Object.entries(codes)) {
    for (const about of cases.filter((each) => each.status === status)) {
      const name = code in examples ? `${code}_${Object.keys(examples).length + 1}` : code;
      const value = exampleError(code as WireCode, about, helpUrl);
      examples[name] = { summary: about.when, value };
    }
  }
  return examples;
}
