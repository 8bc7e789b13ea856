/** Readers that are not part of the public API. */
export interface Internals {
  readonly fontNeedsOf: (docx: object) => unknown;
  readonly PdfFile: new (bytes: Uint8Array) => { objects(): Iterable<unknown> };
  /** Reads the tag at a position. */
  readonly TagReader: new () => { read(xml: string, start: number): unknown };
  readonly scanXml: (part: string, xml: Buffer, handler: object) => void;
}

/** Loads these readers from the built packages. */
export async function internals(): Promise<Internals> {
  const load = (name: string, path: string) =>
    import(new URL(path, import.meta.resolve(name)).href);
  const [{ fontNeedsOf }, { PdfFile }, { TagReader }, { scanXml }] = await Promise.all([
    load("@quire/pdf-libreoffice", "fonts/needs.js"),
    load("@quire/pdf-libreoffice", "pdf/pdf-file.js"),
    load("@quire/pdf-libreoffice", "join/tags.js"),
    load("@quire/ooxml", "xml/scan.js"),
  ]);
  return { fontNeedsOf, PdfFile, TagReader, scanXml };
}
