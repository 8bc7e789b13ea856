import type { Diagnostic } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { checkPattern } from "../../../format/format-pattern.ts";
import type { Delimiters } from "../../../language/delimiters/delimiters.ts";
import { spell, type Wording, withTags } from "../../../language/delimiters/wording.ts";
import { isPlainName } from "../../../language/grammar/expression.ts";
import { plainText } from "../../../language/tokens.ts";
import { placeOf } from "../../nodes/diagnostics.ts";
import { attributesOf, type ElementNode, type Place } from "../../nodes/nodes.ts";

/** Word's mail-merge fields (ECMA-376 part 1, 17.16.5) that do not name a value, with advice for each. */
export const ADVICE: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  [
    "ADDRESSBLOCK",
    withTags`Write the lines of the address with tags, such as {{name}} and {{city}}.`,
  ],
  ["GREETINGLINE", withTags`Write the greeting with tags, such as Dear {{name}}.`],
  ...["NEXT", "NEXTIF"].map(
    (keyword) =>
      [
        keyword,
        withTags`Delete it: each entry of the data becomes a document. To have several in one, write {{for item in items}} … {{endfor}}.`,
      ] as const,
  ),
  ["SKIPIF", "Delete it, and leave such entries out of the data."],
  ...["MERGEREC", "MERGESEQ"].map(
    (keyword) =>
      [
        keyword,
        withTags`Replace it with a tag: {{$number}} in a loop, or else a number from the data.`,
      ] as const,
  ),
  ...["ASK", "FILLIN"].map(
    (keyword) =>
      [
        keyword,
        withTags`Word asks for this text when it updates the field. Replace it with a tag, such as {{answer}}.`,
      ] as const,
  ),
]);

const KEYWORDS = new RegExp(`MERGEFIELD|${[...ADVICE.keys()].join("|")}`, "i");

/** Quickly checks whether a part's XML, canonical or not, may contain a mail-merge field. */
export function mayHoldMergeFields(xml: string): boolean {
  let instructions = "";
  for (const [, text = "", simple = ""] of xml.matchAll(INSTRUCTIONS))
    instructions += text + simple;
  return KEYWORDS.test(instructions);
}

const INSTRUCTIONS =
  /<(?:\w+:)?instrText(?: [^>]*)?>([^<]*)|<(?:\w+:)?fldSimple [^>]*?instr=["']([^"'>]*)/g;

/** Number of characters to keep of an instruction and of the text of a field. */
const KEPT_LENGTH = 400;

/** Number of these characters that a message quotes. */
const NEAR_LENGTH = 80;

/** Maximum number of warnings for a part. */
const MAX_OF_A_PART = 1_000;

/** An open field. */
interface OpenField {
  readonly place: Place;
  instruction: string;
  /** The visible text of the field. */
  result: string;
  inResult: boolean;
  /** Whether the field contains a Quire tag, which rendering fills in. */
  isTagged: boolean;
}

/** Finds the mail-merge fields of a part. The caller passes elements, texts and tags in document order. */
export class MergeFields {
  readonly #delimiters: Delimiters;
  readonly #open: OpenField[] = [];
  /** A warning for each field. */
  readonly found: Diagnostic[] = [];

  constructor(delimiters: Delimiters) {
    this.#delimiters = delimiters;
  }

  /** Begins an element. `place`: the place of its paragraph. */
  open({ name, attributes }: ElementNode, place: Place): void {
    if (name === "w:fldSimple") {
      const written = attributesOf(attributes)["w:instr"] ?? "";
      const instruction = unescapeText(written).replaceAll("&quot;", '"');
      const isTagged = instruction.includes(this.#delimiters.start);
      this.#open.push({ place, instruction, result: "", inResult: true, isTagged });
    } else if (name === "w:fldChar") {
      const type = / w:fldCharType="([^"]*)"/.exec(attributes)?.[1];
      const field = this.#open.at(-1);
      if (type === "begin") {
        this.#open.push({ place, instruction: "", result: "", inResult: false, isTagged: false });
      } else if (type === "separate" && field !== undefined) field.inResult = true;
      else if (type === "end") this.#end();
    }
  }

  close({ name }: ElementNode): void {
    if (name === "w:fldSimple") this.#end();
  }

  /** Adds text of an element, unescaped. */
  text(text: string, element: string): void {
    const field = this.#open.at(-1);
    if (field === undefined) return;
    if (element === "w:instrText" && field.instruction.length < KEPT_LENGTH) {
      field.instruction += text;
    } else if (element === "w:t" && field.inResult && field.result.length < KEPT_LENGTH) {
      field.result += text;
    }
  }

  tag(): void {
    const field = this.#open.at(-1);
    if (field !== undefined) field.isTagged = true;
  }

  #end(): void {
    const field = this.#open.pop();
    if (field === undefined || field.isTagged || this.found.length === MAX_OF_A_PART) return;
    const { place, instruction, result } = field;
    const advice = adviceOn(plainText(instruction).trim());
    if (advice === null) return;
    const around = this.#open.at(-1);
    const isCompared = around?.inResult === false && /^\s*IF\b/i.test(around.instruction);
    const hint = isCompared && advice.isValue ? COMPARED : advice.hint;
    this.found.push({
      severity: "warning",
      code: "merge_field",
      message: `The Word mail-merge field ${advice.name} is not a tag: its text is printed as it is.`,
      hint: spell(hint, this.#delimiters),
      template: {
        ...placeOf(place),
        near: (result.trim() || instruction.trim()).slice(0, NEAR_LENGTH),
      },
    });
  }
}

/**
 * The name and the hint for a warning about a mail-merge field. `isValue`: whether the field shows a value of the data.
 */
interface MergeFieldAdvice {
  readonly name: string;
  readonly hint: Wording;
  readonly isValue: boolean;
}

/**
 * The hint for a field that an IF field compares. A tag in the instruction of the IF field would not change its result.
 */
const COMPARED = withTags`Write {{if …}} … {{else}} … {{endif}} in place of the whole IF field around it.`;

/** Returns the name and the hint for a mail-merge field; null for other fields. */
function adviceOn(instruction: string): MergeFieldAdvice | null {
  const keyword = /^[a-z]+/i.exec(instruction)?.[0].toUpperCase() ?? "";
  const advice = ADVICE.get(keyword);
  if (advice !== undefined) return { name: keyword, hint: advice, isValue: false };
  if (keyword !== "MERGEFIELD") return null;
  const [all = "", quoted, bare = ""] =
    /^MERGEFIELD\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"\\]\S*))?/i.exec(instruction) ?? [];
  const name = (quoted ?? bare).trim();
  if (name === "")
    return {
      name: keyword,
      hint: withTags`Replace it with a tag, such as {{name}}.`,
      isValue: true,
    };
  if (/^(?:[#@]|\[|<)/.test(name)) return { name: `'${name}'`, hint: COMMAND, isValue: false };
  const hint = replacement(name, instruction.slice(all.length));
  return { name: `'${name}'`, hint, isValue: true };
}

/** Advice for XDocReport templates, which have their tags in such fields. */
const COMMAND = withTags`It contains an XDocReport command. Write blocks as {{for item in items}} … {{endfor}} and {{if condition}} … {{endif}}.`;

/** Returns the tag that is equivalent to a field. Its format comes from the switches of the field. */
function replacement(field: string, switches: string): Wording {
  // XDocReport writes ${name} and $name.
  const name = field.replace(/^\$!?\{?|\}$/g, "");
  const isPath = name.split(".").every(isPlainName);
  const path = isPath ? name : `this["${name.replace(/["\\]/g, "\\$&")}"]`;
  const modifiers = modifiersOf(switches);
  const tag = withTags`{{${path}${modifiers === "" ? "" : ` :: ${modifiers}`}}}`;
  return /\\[bf]\s/i.test(switches)
    ? withTags`Replace it with the tag ${tag}. Put the text of its switches \\b and \\f before and after the tag, within {{if ${path}}} … {{endif}}.`
    : withTags`Replace it with the tag ${tag}.`;
}

const LETTERS: Readonly<Record<string, string | undefined>> = {
  upper: "uppercase",
  lower: "lowercase",
  caps: "titleCase",
  firstcap: "capitalize",
};

/** Returns the modifiers that are equivalent to the switches of a field. */
function modifiersOf(switches: string): string {
  const found: string[] = [];
  for (const [, sign, quoted, bare = ""] of switches.matchAll(/\\([*@#])\s*(?:"([^"]*)"|(\S+))/g)) {
    const value = quoted ?? bare;
    const letters = sign === "*" ? LETTERS[value.toLowerCase()] : undefined;
    if (letters !== undefined) found.push(letters);
    const format = sign === "@" ? "format" : "number";
    if (sign !== "*" && checkPattern(format, value) === null) found.push(`${format}("${value}")`);
  }
  return found.join(", ");
}
