import type { Diagnostic } from "../errors.ts";

/** What sources may have and a packet has not. */
export type LeftOutKind = keyof typeof TOLD;

/** The code and the message of each kind; "{who}" are the sources that had it. */
const TOLD = {
  tags: ["packet_tags", "The packet is without the tags for screen readers that {who} had."],
  archival: ["packet_archival", "The packet is no PDF/A, as {who} was."],
  attachments: ["packet_attachments", "The packet is without the files attached to {who}."],
  signatures: ["packet_signatures", "The packet is without the digital signatures of {who}."],
  xfa: [
    "packet_xfa",
    "The packet is without the XFA form of {who}: its pages may show nothing but a request to open it in another reader.",
  ],
  actions: [
    "packet_actions",
    "The packet is without actions of {who} that run a script or a program, send data or play media.",
  ],
  pageLabels: ["packet_page_labels", "The packet is without the page labels of {who}."],
  appearances: [
    "packet_appearances",
    "Readers draw all form fields of the packet anew, since {who} asks for it: they may look different.",
  ],
} as const satisfies Readonly<Record<string, readonly [code: string, message: string]>>;

/** Gathers what was left out: of each kind how many sources had it, and the first one's name. */
export class LeftOut {
  readonly #kinds = new Map<LeftOutKind, { readonly first: string; sources: number }>();

  add(kinds: ReadonlySet<LeftOutKind>, name: string): void {
    for (const kind of kinds) {
      const known = this.#kinds.get(kind);
      if (known === undefined) this.#kinds.set(kind, { first: name, sources: 1 });
      else known.sources += 1;
    }
  }

  warnings(): Diagnostic[] {
    return [...this.#kinds].map(([kind, { first, sources }]) => {
      const [code, message] = TOLD[kind];
      const others = sources - 1;
      const more = others === 0 ? "" : ` and ${others} ${others === 1 ? "other" : "others"}`;
      // A function: a name may hold what replace() takes for a pattern.
      const told = message.replace("{who}", () => JSON.stringify(first) + more);
      return { severity: "warning", code, message: told };
    });
  }
}
