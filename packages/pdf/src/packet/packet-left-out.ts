import type { Diagnostic } from "@quire/contracts";

/** Parts of sources that a packet does not keep. */
export type LeftOutKind = keyof typeof WARNINGS;

/** The code and the message of each kind. "{who}" stands for the sources that have such a part. */
const WARNINGS = {
  tags: ["packet_tags", "The packet does not have the accessibility tags of {who}."],
  archival: ["packet_archival", "The packet is not PDF/A, unlike {who}."],
  attachments: ["packet_attachments", "The packet does not have the files attached to {who}."],
  signatures: ["packet_signatures", "The packet does not have the digital signatures of {who}."],
  xfa: [
    "packet_xfa",
    "The packet does not have the XFA form of {who}: its pages may only show a request to open it in another reader.",
  ],
  actions: [
    "packet_actions",
    "The packet does not have the actions of {who} that run a script or a program, send data or play media.",
  ],
  pageLabels: ["packet_page_labels", "The packet does not have the page labels of {who}."],
  appearances: [
    "packet_appearances",
    "Readers redraw all form fields of the packet, as {who} requests: they may look different.",
  ],
} as const satisfies Readonly<Record<string, readonly [code: string, message: string]>>;

/** Collects the parts that were left out: for each kind, the number of sources and the name of the first source. */
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
      const [code, message] = WARNINGS[kind];
      const others = sources - 1;
      const more = others === 0 ? "" : ` and ${others} ${others === 1 ? "other" : "others"}`;
      // A replacement string would be wrong here: replace() interprets patterns such as `$&` in a name.
      const text = message.replace("{who}", () => JSON.stringify(first) + more);
      return { severity: "warning", code, message: text };
    });
  }
}
