import { ExpressionParser } from "./parse-expression.ts";
import { TagSyntaxError, tokenize } from "./tokens.ts";

/** The helpers of Handlebars and its like that begin a block behind a `#`, and what they are here. */
const HELPERS: ReadonlyMap<string, "if" | "unless" | "for" | "with"> = new Map([
  ["if", "if"],
  ["elseif", "if"],
  ["unless", "unless"],
  ["for", "for"],
  ["each", "for"],
  ["foreach", "for"],
  ["loop", "for"],
  ["repeat", "for"],
  ["tablerow", "for"],
  ["tablecolumn", "for"],
  ["with", "with"],
]);

/** A block of another template language: `{{#each items}}`. */
export interface Helper {
  /** As it is written: `{{/word}}` ends the block. */
  readonly word: string;
  readonly meaning: "if" | "unless" | "for" | "with";
  /** What stands behind the word. */
  readonly rest: string;
}

/** Longer texts of a tag are not repeated in a hint. */
const QUOTED_LENGTH = 100;

/**
 * The helper that stands behind the `#` of a section; null when a path or a condition of ours stands
 * there, such as a key that happens to be called `if`.
 */
export function helperOf(source: string): Helper | null {
  const [, word = "", rest = ""] =
    /^\s*(\p{L}+)(?:\s+(?=\S)|(?=[(!]))([\s\S]*)$/u.exec(source) ?? [];
  const meaning = HELPERS.get(word.toLowerCase());
  if (meaning === undefined || GOES_ON.test(rest)) return null;
  return { word, meaning, rest: rest.trim() };
}

/** How a condition goes on behind its first path. */
const GOES_ON =
  /^(?:[-–−+*/%=<>&|,)[:]|!=|(?:and|or|contains|isPresent|isEmpty)(?![\p{L}\p{N}_]))/u;

/** Says what to write instead of a helper. */
export function helperError(sign: string, { word, meaning, rest }: Helper): TagSyntaxError {
  return new TagSyntaxError(
    `'${sign}${word}' is no block of this language.`,
    hintFor(meaning, rest),
  );
}

function hintFor(meaning: Helper["meaning"], rest: string): string {
  switch (meaning) {
    case "if":
      return `Write {{if ${conditionIn(rest) ?? "condition"}}} … {{endif}}.`;
    case "unless": {
      const condition = conditionIn(rest) ?? "condition";
      return `Write {{if not ${/[^\p{L}\p{N}_.]/u.test(condition) ? `(${condition})` : condition}}} … {{endif}}.`;
    }
    case "with": {
      const path = pathIn(rest) ?? "path";
      return `Write {{#${path}}} … {{/${path}}}.`;
    }
    case "for":
      return loopHint(rest);
  }
}

/** `each items`, `each items as |item|` and `for item in items` are all the same here. */
function loopHint(rest: string): string {
  const [first = "", second = "", third = ""] = rest.split(/\s+/, 3);
  const isIn = second.toLowerCase() === "in";
  const list = pathIn(isIn ? third : first) ?? "items";
  const named = isIn ? first : third.replaceAll("|", "");
  const alias = (isIn || second === "as") && /^[\p{L}_]{1,40}$/u.test(named) ? named : "item";
  return `Write {{for ${alias} in ${list}}} … {{endfor}}, and {{${alias}.name}} for what each has.`;
}

/** The text when it is a condition of this language, else null. */
export function conditionIn(text: string): string | null {
  return readable(text, (parser) => parser.condition());
}

function pathIn(text: string): string | null {
  return readable(text, (parser) => parser.path());
}

function readable(text: string, read: (parser: ExpressionParser) => unknown): string | null {
  if (text === "" || text.length > QUOTED_LENGTH) return null;
  try {
    const parser = new ExpressionParser(tokenize(text));
    read(parser);
    parser.end();
    return text;
  } catch (error) {
    if (error instanceof TagSyntaxError) return null;
    throw error;
  }
}

/**
 * What is wrong with a tag that begins with a sign which other template languages give a meaning, such
 * as `{{%photo}}`; null for all others. The content is trimmed.
 */
export function foreignSign(content: string): TagSyntaxError | null {
  const rest = content.replace(/^[%~>&@]+\s*/, "");
  const path = pathIn(rest) ?? "path";
  switch (content[0]) {
    case "@":
      return atSign(rest, path);
    case "%":
      return new TagSyntaxError(
        "A '%' does not make a picture of a value.",
        `Write {{${path}}}, or put it into the alternative text of a picture, which gives it its size.`,
      );
    case "~":
      return new TagSyntaxError(
        "A '~' does not make formatted text of a value.",
        `Write {{${path} :: html}}.`,
      );
    case "&":
      return new TagSyntaxError(
        "A '&' has no meaning at the beginning of a tag.",
        `Write {{${path}}}: a value is never read as XML or HTML unless it is meant to be.`,
      );
    case ">":
      return new TagSyntaxError(
        "A '>' does not include a template.",
        `Write {{include "${fileNameIn(rest) ?? "terms.docx"}"}}.`,
      );
    case "-": {
      const loop = /^-\s*[aw]:\w{1,20}\s+(\S[\s\S]*)$/.exec(content)?.[1];
      return loop === undefined ? null : elementLoop(pathIn(loop.trim()));
    }
  }
  return null;
}

/** Handlebars asks for the place in a loop with `@`; docxtemplater puts XML into the document with it. */
function atSign(rest: string, path: string): TagSyntaxError {
  const variable = LOOP_VARIABLES.get(rest.toLowerCase());
  if (variable !== undefined) {
    return new TagSyntaxError(
      `'@${rest}' has no meaning here.`,
      variable === "$index"
        ? "Write {{$index}}, which counts from 0, or {{$number}}, which counts from 1."
        : `Write {{${variable}}}.`,
    );
  }
  return new TagSyntaxError(
    "Raw XML cannot be put into a document.",
    `Give the value as HTML and write {{${path} :: html}}.`,
  );
}

const LOOP_VARIABLES: ReadonlyMap<string, string> = new Map([
  ["index", "$index"],
  ["first", "$first"],
  ["last", "$last"],
  ["length", "$length"],
  ["number", "$number"],
]);

function elementLoop(list: string | null): TagSyntaxError {
  return new TagSyntaxError(
    "A block does not name the element that it repeats.",
    `Write {{for item in ${list ?? "items"}}} … {{endfor}}: where its tags stand says what it repeats.`,
  );
}

/** A name of a file as somebody wrote it without quotes; null for what can be none. */
export function fileNameIn(text: string): string | null {
  const name = text.trim();
  return name !== "" && name.length <= QUOTED_LENGTH && !/["“”„‟«»″{}\\]/.test(name) ? name : null;
}
