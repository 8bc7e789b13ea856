// This import comes first, because it reports a Node version that is too old.
import "@quire/contracts";

export { compilePdfForm } from "./form/form-template.ts";
export type { PdfForm, PdfFormResult } from "./form/pdf-form.ts";
export { withMetadata } from "./metadata/metadata.ts";
export { createPacket } from "./packet/packet.ts";
export type {
  Packet,
  PacketEntry,
  PacketOptions,
  PacketPages,
  PacketSummary,
} from "./packet/packet-types.ts";
export { findText } from "./search/find-text.ts";
export { stampPages } from "./stamp/stamp.ts";
