import { QuireError } from "@quire/contracts";
import type { RenderData } from "./scope.ts";

/** Checks the type of the data of a document. Throws `invalid_data` if the data is not an object. */
export function renderData(data: unknown): RenderData {
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as RenderData;
  throw new QuireError("invalid_data", "The data of a document must be an object: { … }.");
}
