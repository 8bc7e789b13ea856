import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { ParseBudget, type PdfLimits } from "./parse-budget.ts";
import { readHexString, readInteger, readName, readNumber, readString } from "./parse-tokens.ts";
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFObjectStreamParser,
  PDFParser,
  PDFRawStream,
  type PDFString,
} from "./pdf-lib.ts";
import { damaged, PdfProblem } from "./pdf-problem.ts";

/**
 * Reads the objects of a PDF with pdf-lib's parser. Limits how far object streams inflate and how long objects are
 * searched for, which that parser does not. Throws {@link PdfProblem}. Rejects damaged files instead of repairing them.
 */
export async function parsePdf(bytes: Uint8Array, limits: PdfLimits): Promise<PDFContext> {
  if (bytes.length > limits.bytes) {
    throw new PdfProblem(`it has ${bytes.length} bytes, more than the limit of ${limits.bytes}`);
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const budget = new ParseBudget(limits, bytes.length);
  const parser = new BoundedParser(file, budget);
  try {
    const context = await parser.parseDocument();
    await Promise.all(parser.members);
    if (budget.problem !== null) throw budget.problem;
    if (context.trailerInfo.Encrypt !== undefined) throw encrypted();
    assertWhole(file);
    parser.settleStreams();
    return context;
  } catch (error) {
    await Promise.allSettled(parser.members);
    if (error instanceof PdfProblem) throw error;
    if (budget.problem !== null) throw budget.problem;
    // Streams of an encrypted file cannot be inflated, so the resulting error is misleading.
    throw file.includes("/Encrypt") ? encrypted() : damaged(error);
  }
}

/** Throws if the end of the file is missing. The objects alone do not show that a file is truncated. */
function assertWhole(file: Buffer): void {
  const end = file.lastIndexOf("startxref");
  if (end === -1 || file.indexOf(" obj", end) !== -1) throw new Error("The end is missing.");
}

function encrypted(): PdfProblem {
  return new PdfProblem("it is encrypted. Save it without a password and without restrictions");
}

const TYPE = PDFName.of("Type");
const FILTER = PDFName.of("Filter");
const PARAMETERS = PDFName.of("DecodeParms");
const LENGTH = PDFName.of("Length");
const END = "endstream";

class BoundedParser extends PDFParser {
  readonly #file: Buffer;
  readonly #budget: ParseBudget;
  /** For each stream whose end was searched for, the byte offset of its start. */
  readonly #looked = new Map<PDFObject, number>();
  #start = -1;
  /** One promise for each object stream. It rejects if the stream cannot be read. */
  readonly members: Promise<void>[] = [];

  constructor(file: Buffer, budget: ParseBudget) {
    // Throws on invalid objects, which pdf-lib would otherwise keep as raw bytes.
    super(file, Number.POSITIVE_INFINITY, true);
    this.#file = file;
    this.#budget = budget;
  }

  /**
   * Checks the ends of streams after all objects have been read. The parser searches for the end of a stream if its
   * length is in another object. Throws if an end is wrong.
   */
  settleStreams(): void {
    if (this.#looked.size === 0) return;
    for (const [ref, stream] of this.context.enumerateIndirectObjects()) {
      const start = this.#looked.get(stream);
      if (start === undefined || !(stream instanceof PDFRawStream)) continue;
      const length = this.context.lookup(stream.dict.get(LENGTH));
      const found = stream.contents.length;
      if (!(length instanceof PDFNumber) || length.asNumber() === found) continue;
      const end = start + length.asNumber();
      // A wrong length alone is acceptable, because readers also search for the end of the stream.
      if (!endsAt(this.#file, end)) continue;
      if (end - start > found + 2) throw new Error("A stream contains the word endstream.");
      this.context.assign(ref, PDFRawStream.of(stream.dict, this.#file.subarray(start, end)));
    }
  }

  /**
   * Finds the end of a stream. pdf-lib's version reads byte by byte and treats every "stream" in the data as the start
   * of another stream.
   */
  protected override findEndOfStreamFallback(): number {
    const start = this.bytes.offset();
    const found = this.#file.indexOf(END, start, "latin1");
    if (found === -1) throw new Error("A stream has no end.");
    this.#start = start;
    this.bytes.moveTo(found + END.length);
    let end = found;
    if (end > start && this.#file[end - 1] === 0x0a) end -= 1;
    if (end > start && this.#file[end - 1] === 0x0d) end -= 1;
    return end;
  }

  override parseObject(): PDFObject {
    const isOutermost = this.#budget.isOutermost;
    const start = this.bytes.offset();
    this.#start = -1;
    const object = this.#budget.value(() => super.parseObject());
    if (!isOutermost) return object;
    this.#budget.step(this.bytes.offset() - start);
    if (!(object instanceof PDFRawStream)) return object;
    if (this.#start !== -1) this.#looked.set(object, this.#start);
    return this.#structure(object);
  }

  /**
   * Replaces a cross-reference stream or an object stream, which pdf-lib would process without limits, by an empty one.
   */
  #structure(stream: PDFRawStream): PDFRawStream {
    const type = stream.dict.lookup(TYPE);
    if (type === PDFName.of("XRef")) return withoutEntries(stream);
    if (type !== PDFName.of("ObjStm")) return stream;
    const content = inflated(stream, this.#budget);
    // The parsing is synchronous. Only its error arrives later.
    const reading = new BoundedMembers(content, this.#budget).parseIntoContext();
    reading.catch(() => {});
    this.members.push(reading);
    return PDFRawStream.of(emptyStreamDict(stream, { Type: "ObjStm", N: 0, First: 0 }), NOTHING);
  }

  protected override matchKeyword(keyword: number[]): boolean {
    // After a limit is exceeded, skips the rest of the file.
    if (this.#budget.problem !== null) this.bytes.moveTo(this.#file.length);
    const matches = super.matchKeyword(keyword);
    // If this keyword is missing, the parser creates an error with a stack trace.
    if (!matches && isObj(keyword)) this.#budget.disorder(ERROR_COST);
    return matches;
  }

  protected override parseName(): PDFName {
    return readName(this.bytes);
  }

  protected override parseString(): PDFString {
    return readString(this.bytes);
  }

  protected override parseHexString(): PDFHexString {
    return readHexString(this.bytes);
  }

  protected override parseRawInt(): number {
    return readInteger(this.bytes, this.#budget);
  }

  protected override parseRawNumber(): number {
    return readNumber(this.bytes);
  }

  protected override skipWhitespaceAndComments(): void {
    const start = this.bytes.offset();
    super.skipWhitespaceAndComments();
    this.#budget.step(this.bytes.offset() - start + 1);
  }
}

/** Parses the objects in an object stream within the budget. */
class BoundedMembers extends PDFObjectStreamParser {
  readonly #budget: ParseBudget;

  constructor(stream: PDFRawStream, budget: ParseBudget) {
    super(stream);
    this.#budget = budget;
  }

  override parseObject(): PDFObject {
    const start = this.bytes.offset();
    const object = this.#budget.value(() => super.parseObject());
    this.#budget.step(Math.abs(this.bytes.offset() - start));
    return object;
  }

  protected override parseName(): PDFName {
    return readName(this.bytes);
  }

  protected override parseString(): PDFString {
    return readString(this.bytes);
  }

  protected override parseHexString(): PDFHexString {
    return readHexString(this.bytes);
  }

  protected override parseRawInt(): number {
    return readInteger(this.bytes, this.#budget);
  }

  protected override parseRawNumber(): number {
    return readNumber(this.bytes);
  }

  protected override skipWhitespaceAndComments(): void {
    const start = this.bytes.offset();
    super.skipWhitespaceAndComments();
    this.#budget.step(Math.abs(this.bytes.offset() - start) + 1);
  }
}

const NOTHING = new Uint8Array();

/**
 * Returns a cross-reference stream without its entries. Only its dictionary is needed, because the parser finds objects
 * without the entries.
 */
function withoutEntries(stream: PDFRawStream): PDFRawStream {
  return PDFRawStream.of(emptyStreamDict(stream, { Size: 0, W: [1, 1, 1], Index: [] }), NOTHING);
}

function emptyStreamDict({ dict }: PDFRawStream, entries: Record<string, unknown>): PDFDict {
  const empty = dict.clone();
  empty.delete(FILTER);
  empty.delete(PARAMETERS);
  for (const [key, value] of Object.entries(entries)) {
    empty.set(PDFName.of(key), dict.context.obj(value as string));
  }
  return empty;
}

function inflated(stream: PDFRawStream, budget: ParseBudget): PDFRawStream {
  const filter = stream.dict.lookup(FILTER);
  const names =
    filter instanceof PDFArray ? filter.asArray() : filter === undefined ? [] : [filter];
  const isFlate = names.length === 1 && names[0] === PDFName.of("FlateDecode");
  if ((names.length > 0 && !isFlate) || predicts(stream.dict)) {
    budget.fail(
      "its objects are packed in an unusual way. Open it in a PDF program and save it again",
    );
  }
  const content = isFlate ? inflate(stream.contents, budget) : stream.contents;
  budget.unpack(content.length);
  return PDFRawStream.of(emptyStreamDict(stream, {}), content);
}

function inflate(bytes: Uint8Array, budget: ParseBudget): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(budget.unpacked, 1) });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_BUFFER_TOO_LARGE") throw error;
    return budget.fail("its unpacked content is larger than the limit");
  }
}

function predicts(dict: PDFDict): boolean {
  const parameters = dict.lookup(PARAMETERS);
  const first = parameters instanceof PDFArray ? parameters.lookup(0) : parameters;
  const predictor = first instanceof PDFDict ? first.lookup(PDFName.of("Predictor")) : undefined;
  return predictor instanceof PDFNumber && predictor.asNumber() > 1;
}

/** Whether a stream may end at this offset: the keyword follows after at most one line break. */
function endsAt(file: Buffer, offset: number): boolean {
  return /^\r?\n?endstream/.test(file.toString("latin1", offset, offset + END.length + 2));
}

/** Number of bytes that can be read in the time that creating an error takes. */
const ERROR_COST = 50;

function isObj([o, b, j, ...more]: readonly number[]): boolean {
  return o === 0x6f && b === 0x62 && j === 0x6a && more.length === 0;
}
