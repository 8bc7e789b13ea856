import type { SectionHeaders } from "../template/looped-headers.ts";
import type { TagOrigin } from "./tag-ops.ts";

/**
 * The references of a section to headers and footers, of the types of which any uses the items of a loop. Each
 * iteration has its own copies of these.
 */
export interface HeadersOp extends SectionHeaders<TagOrigin> {
  readonly op: "headers";
}
