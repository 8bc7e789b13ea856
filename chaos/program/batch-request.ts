import type { BatchRequest, GenerationEntry } from "@quire/core";
import type { ProgramOptions } from "./options.ts";

/** The id of the template. */
export const TEMPLATE = "letter.docx";
/** The folder for the documents. */
export const OUT = "out";

/**
 * Returns the request for these options. Equal options give equal requests, so that a request can be submitted again.
 */
export function batchRequest(
  options: Pick<ProgramOptions, "entries" | "outputType" | "ballastBytes">,
): BatchRequest {
  return {
    file: { type: "file", id: TEMPLATE },
    input_source: "api",
    destination_folder: { type: "folder", id: OUT },
    output_type: options.outputType,
    document_generation_data: Array.from({ length: options.entries }, (_, index) => ({
      generated_file_name: nameOf(index + 1),
      user_input: letter(index + 1, options.ballastBytes),
    })),
  };
}

/** Returns the file name of a letter, without its extension. */
export function nameOf(number: number): string {
  return `letter-${String(number).padStart(5, "0")}`;
}

/** Returns the data of a letter. Equal numbers give equal data. */
export function letter(number: number, ballastBytes: number): GenerationEntry["user_input"] {
  return {
    customer: {
      number: `F-${number}`,
      name: `Professor Ingrid Åkesson ${number}`,
      title: "Professor",
      lastName: `Åkesson ${number}`,
      address: `Priestpopple ${number}\nHexham NE46 1PS`,
    },
    membership: { tier: "Patron", amount: "£ 600.00", validUntil: "31 March 2027" },
    letter: {
      date: "2 February 2026",
      reference: `P-2026/${number}${noise(number, ballastBytes)}`,
    },
    items: Array.from({ length: 1 + (number % 5) }, (_, index) => ({
      date: `${index + 1} May`,
      title: `Evening number ${index + 1} of member ${number}`,
    })),
    signer: { name: "Hester Fenwick", role: "Director of the Garden" },
  };
}

/** Returns digits that do not compress well. Equal seeds give equal digits. */
function noise(seed: number, bytes: number): string {
  let state = seed * 2_654_435_761;
  let text = "";
  while (text.length < bytes) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(36);
  }
  return text.slice(0, bytes);
}
