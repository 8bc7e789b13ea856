import { InvalidArgumentError, Option } from "commander";

/** Creates `--soffice`: the LibreOffice that creates the PDFs. */
export function sofficeOption(): Option {
  return new Option(
    "--soffice <file>",
    "the path of the LibreOffice program (default: found automatically)",
  );
}

/** One day. A document that takes longer is not expected to finish. */
const MAX_DEADLINE_SECONDS = 86_400;

/** Creates `--deadline`: the time limit for one document, in seconds. */
export function deadlineOption(): Option {
  return new Option(
    "--deadline <seconds>",
    "the time limit for converting one document to PDF (default: 60); long tables need more, see docs/pdf.md",
  ).argParser(seconds);
}

/** Reads an option's value in seconds, and checks its range. */
export function seconds(value: string): number {
  const number = Number(value);
  if (value.trim() === "" || !(number >= 1 && number <= MAX_DEADLINE_SECONDS)) {
    throw new InvalidArgumentError(
      `It must be a number of seconds from 1 to ${MAX_DEADLINE_SECONDS}.`,
    );
  }
  return number;
}
