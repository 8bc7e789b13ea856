import type { HeadersOp } from "../program/header-op.ts";
import type { SectionHeaders } from "../template/looped-headers.ts";
import type { TagNode } from "../template/nodes/nodes.ts";
import { originOf } from "./text-op.ts";

/** Returns the op for the headers and footers of a section; null without a section. */
export function headersOp(headers: SectionHeaders<TagNode> | undefined): HeadersOp | null {
  if (headers === undefined) return null;
  const { references, ...section } = headers;
  return {
    op: "headers",
    ...section,
    references: references.map(({ shown, ...reference }) => {
      if (shown === null) return { ...reference, shown };
      const needs = shown.needs?.map(({ alias, by }) => ({ alias, by: originOf(by) })) ?? null;
      return { ...reference, shown: { ...shown, needs } };
    }),
  };
}
