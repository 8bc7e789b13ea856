import { encodeData } from "@quire/render-pool/internal/protocol/document-data";
import { depthExceeds, isPlainObject, MAX_DEPTH } from "./data-depth.ts";

/** The members of an entry other than its data. */
const TEXTS = ["generated_file_name", "locale", "time_zone"] as const;

/**
 * Converts an entry of a JSON request to a form that the engine also accepts and that needs less memory. Its data
 * becomes JSON bytes, and members that the engine does not read are omitted. Checks find the same problems in the
 * result as in the entry.
 */
export function compactEntry(entry: unknown): unknown {
  if (!isPlainObject(entry)) return emptied(entry);
  const compact: Record<string, unknown> = {};
  for (const key of TEXTS) if (Object.hasOwn(entry, key)) compact[key] = emptied(entry[key]);
  if (Object.hasOwn(entry, "user_input")) compact.user_input = compactData(entry.user_input);
  return compact;
}

function compactData(data: unknown): unknown {
  if (!isPlainObject(data)) return emptied(data);
  // Returned unchanged: the checks report data that is too deep.
  if (depthExceeds(data, MAX_DEPTH)) return data;
  const { encoding, bytes } = encodeData(data);
  return encoding === "json" ? bytes : data;
}

/** Empties a list or an object that is not valid here. The checks reject it, whatever it contains. */
function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isPlainObject(value) ? {} : value;
}
