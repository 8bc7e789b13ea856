import type { CompileOptions, Delimiters, MissingPolicy, RichTextPolicy } from "@quire/core";
import { type Command, InvalidArgumentError, Option } from "commander";

/** The command line options for printing values. */
export interface PrintFlags {
  readonly onMissing: MissingPolicy;
  readonly richText: RichTextPolicy;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly now?: string;
  /** The folder of the fonts for SVGs. */
  readonly svgFonts?: string;
}

/** The command line options for compiling a template. */
export interface CompileFlags {
  readonly delimiters?: CompileOptions["delimiters"];
}

/** What `--svg-fonts` is, for all commands that have it. */
export const SVG_FONTS =
  "the folder of the .ttf and .otf fonts for text in SVG pictures of the data (default: no such text)";

/** Adds the options of {@link PrintFlags} to a command. */
export function withPrintOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--on-missing <policy>",
        "if a value is missing: keep its tag as written, leave it blank, or fail the document",
      )
        .choices(["keep", "blank", "fail"])
        .default("keep"),
    )
    .addOption(
      new Option(
        "--rich-text <policy>",
        "turn HTML values into rich text in every tag, or only in tags with html or markdown",
      )
        .choices(["detected", "tagged"])
        .default("detected"),
    )
    .option(
      "--locale <tag>",
      "the language and region of numbers and dates, for example de-CH (default: en-US)",
    )
    .option(
      "--time-zone <zone>",
      "the time zone of dates and times, for example Europe/Zurich (default: UTC)",
    )
    .option(
      "--now <date>",
      "the date of $today and $now in tags, for example 2026-11-30 (default: the current time)",
    )
    .option("--svg-fonts <folder>", SVG_FONTS);
}

/** Creates `--delimiters`: the delimiters of tags. */
export function delimitersOption(): Option {
  return new Option(
    "--delimiters <auto|START,END>",
    "the delimiters of tags; auto uses { and } for a template without {{ (default: {{,}})",
  ).argParser(parseDelimiters);
}

function parseDelimiters(value: string): "auto" | Delimiters {
  if (value === "auto") return value;
  const [start = "", end = "", ...others] = value.split(",");
  if (start === "" || end === "" || others.length > 0) {
    throw new InvalidArgumentError(
      "Use auto, or two delimiters separated by a comma, for example '[[,]]'.",
    );
  }
  return { start, end };
}
