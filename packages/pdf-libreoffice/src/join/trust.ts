import { formOf } from "./forms.ts";

/** The properties of a document that determine whether it may be joined. */
export interface Candidate {
  /** The numbers of its structural forms. */
  readonly forms: ReadonlySet<number>;
  /** Length of its main part, in characters. */
  readonly length: number;
  /** Number of cells in its tables. */
  readonly cells: number;
  /**
   * The document is trusted only up to this number of pages. In longer documents, LibreOffice may place page breaks
   * differently, depending on the surrounding content.
   */
  readonly mostPages: number;
}

/** What to do with waiting documents, by their index. */
export interface JoinPlan {
  /** Documents to convert alone. */
  readonly alone: readonly number[];
  /** Documents to join, in this order; null if there is nothing to join now. */
  readonly group: PlannedGroup | null;
  /** Documents to plan again after the group has been reported. */
  readonly later: readonly number[];
}

/** A group of documents to join. */
export interface PlannedGroup {
  readonly members: readonly number[];
  /** Indexes in `members` of the documents that are always also converted alone and compared. */
  readonly compare: readonly number[];
}

/** What to do after a group was joined, converted and split, by index in the group. */
export interface GroupCheck {
  /** Documents to convert alone instead. */
  readonly alone: readonly number[];
  /** Documents to convert alone as well, and compare. */
  readonly compare: readonly number[];
}

/** Decides which documents of one template, batch and tenant may be joined. */
export interface JoinTrust {
  /** The reason why no more documents are joined; null while documents may be joined. */
  readonly refused: string | null;
  /** Plans waiting documents. `last` means that no more documents will come, so waiting for more is useless. */
  plan(waiting: readonly Candidate[], last: boolean): JoinPlan;
  /** Decides which joined PDFs can be used. `pages` is the page count of each member; null if it has no PDF. */
  check(
    members: readonly Candidate[],
    pages: readonly (number | null)[],
    planned: readonly number[],
  ): GroupCheck;
  /**
   * Records the results of comparisons, by index in the group: a description of the difference, or null.
   * Returns true if the joined PDFs may be used; otherwise, all members must be converted alone.
   */
  report(
    members: readonly Candidate[],
    pages: readonly (number | null)[],
    differences: ReadonlyMap<number, string | null>,
  ): boolean;
  /** Records the time in milliseconds that `documents` documents took, joined or alone, from the docx to the PDF. */
  took(way: "joined" | "alone", documents: number, ms: number): void;
  /** Returns the forms and situations that were proven since the last call. */
  takeProven(): readonly number[];
  /** Stops joining, because a group failed as a whole. Called instead of `report`. */
  refuse(reason: string): void;
}

/** Size of the first group. All its documents are converted both ways. */
const PROBE = 6;

/** The minimum number of documents that is worth a probe. */
const WORTH_A_PROBE = 3 * PROBE;

/** The minimum number of documents that is worth joining. */
const SMALLEST_GROUP = 3;

/** Limits within which LibreOffice is fast. Beyond these limits, each entry and each cell takes longer. */
const MOST_ENTRIES = 40;
const MOST_CELLS = 3_000;
const MOST_LENGTH = 4_000_000;
const MOST_PAGES = 100;

/** Larger documents take as long in a group as alone. */
const LARGE_LENGTH = 400_000;
const LARGE_CELLS = 1_000;
const MANY_PAGES = 8;

/** Number of documents to measure before times are compared, and the ratio that joining must not exceed. */
const TIMED = { joined: 40, alone: PROBE };
const WORTH_IT = 0.8;
/** Joining stops after this number of slow measurements in a row, because the machine may be busy during one of them. */
const SLOW_IN_A_ROW = 3;

/** One document is compared in each of the first groups, up to this number; later, one in `SAMPLE` documents. */
const WATCHED_GROUPS = 3;
const SAMPLE = 100;

/**
 * Creates a {@link JoinTrust}. Create one for each group of documents. `proven`: the forms and situations that it trusts
 * from the beginning, because another LibreOffice of the same release and with the same fonts has proven them. Without
 * any, it trusts nothing at first.
 */
export function joinTrust(proven: readonly number[] = []): JoinTrust {
  return new Trust(proven);
}

class Trust implements JoinTrust {
  #refused: string | null = null;
  /** The forms and situations in which joined documents were the same as single ones. */
  readonly #proven: Set<number>;
  /** The part of `#proven` that `takeProven` has not returned yet. */
  #news: number[] = [];
  #groups: number;
  /** Whether the first group is being converted. */
  #probing = false;
  #sinceSample = 0;
  #entries = 0;
  #pages = 0;
  /** Number of entries whose joined PDFs were not used. */
  #wasted = 0;
  /** Number of measurements in a row in which joining was not faster. */
  #slow = 0;
  readonly #times = { joined: { documents: 0, ms: 0 }, alone: { documents: 0, ms: 0 } };

  constructor(proven: readonly number[]) {
    this.#proven = new Set(proven);
    // The first group has been converted elsewhere.
    this.#groups = Math.min(proven.length, 1);
  }

  get refused(): string | null {
    return this.#refused;
  }

  takeProven(): readonly number[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  plan(waiting: readonly Candidate[], last: boolean): JoinPlan {
    if (this.#probing) return { alone: [], group: null, later: [...waiting.keys()] };
    const alone: number[] = [];
    const known: number[] = [];
    const unknown: number[] = [];
    for (const [index, document] of waiting.entries()) {
      if (this.#refused !== null || isLarge(document)) alone.push(index);
      else if (isSubset(document.forms, this.#proven)) known.push(index);
      else unknown.push(index);
    }
    if (this.#groups === 0 && unknown.length < WORTH_A_PROBE) {
      return last ? everyOne(waiting) : { alone, group: null, later: [...known, ...unknown] };
    }
    const [chosen, proves] = unknown.length >= SMALLEST_GROUP ? [unknown, true] : [known, false];
    const members = this.#fill(waiting, chosen, proves ? PROBE : MOST_ENTRIES);
    const taken = new Set(members);
    const rest = [...known, ...unknown].filter((index) => !taken.has(index));
    if (members.length < SMALLEST_GROUP) {
      const late = [...rest, ...members].toSorted((a, b) => a - b);
      return last ? everyOne(waiting) : { alone, group: null, later: late };
    }
    this.#probing = this.#groups === 0;
    const compare = proves ? members.map((_, place) => place) : this.#sample(members.length);
    return { alone, group: { members, compare }, later: rest.toSorted((a, b) => a - b) };
  }

  check(
    members: readonly Candidate[],
    pages: readonly (number | null)[],
    planned: readonly number[],
  ): GroupCheck {
    const alone: number[] = [];
    const compare: number[] = [];
    for (const [place, member] of members.entries()) {
      const count = pages[place] ?? null;
      if (count === null || count > member.mostPages) alone.push(place);
      else if (planned.includes(place) || !isSubset(situationsOf(place, pages), this.#proven)) {
        compare.push(place);
      }
    }
    return { alone, compare };
  }

  report(
    members: readonly Candidate[],
    pages: readonly (number | null)[],
    differences: ReadonlyMap<number, string | null>,
  ): boolean {
    this.#probing = false;
    for (const difference of differences.values()) {
      if (difference !== null) this.refuse(difference);
    }
    if (this.#refused !== null) return false;
    this.#groups += 1;
    this.#entries += members.length;
    this.#pages += pages.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    this.#wasted += this.check(members, pages, []).alone.length;
    if (this.#entries > WORTH_A_PROBE && this.#wasted * 3 > this.#entries) {
      this.refuse("documents that must be converted again");
    }
    if (this.#pages > MANY_PAGES * this.#entries) this.refuse("documents with many pages");
    for (const place of differences.keys()) {
      this.#prove(members[place]?.forms ?? []);
      this.#prove(situationsOf(place, pages));
    }
    return true;
  }

  #prove(forms: Iterable<number>): void {
    for (const form of forms) {
      if (this.#proven.has(form)) continue;
      this.#proven.add(form);
      this.#news.push(form);
    }
  }

  took(way: "joined" | "alone", documents: number, ms: number): void {
    const { joined, alone } = this.#times;
    this.#times[way].documents += documents;
    this.#times[way].ms += ms;
    if (joined.documents < TIMED.joined || alone.documents < TIMED.alone) return;
    const each = { joined: joined.ms / joined.documents, alone: alone.ms / alone.documents };
    this.#slow = each.joined > WORTH_IT * each.alone ? this.#slow + 1 : 0;
    if (this.#slow === SLOW_IN_A_ROW) this.refuse("documents that are no faster when joined");
    this.#times.joined = { documents: 0, ms: 0 };
  }

  refuse(reason: string): void {
    this.#refused ??= reason;
    this.#probing = false;
  }

  /** Returns the first of the chosen documents, up to the limits of a group. */
  #fill(waiting: readonly Candidate[], chosen: readonly number[], most: number): number[] {
    const perEntry = this.#entries === 0 ? 1 : this.#pages / this.#entries;
    const room = Math.min(most, Math.max(SMALLEST_GROUP, Math.floor(MOST_PAGES / perEntry)));
    const members: number[] = [];
    let [length, cells] = [0, 0];
    for (const index of chosen) {
      const document = waiting[index];
      if (document === undefined || members.length === room) break;
      length += document.length;
      cells += document.cells;
      if (length > MOST_LENGTH || cells > MOST_CELLS) break;
      members.push(index);
    }
    return members;
  }

  /** Returns the indexes of the members of a trusted group that are compared anyway. */
  #sample(size: number): number[] {
    this.#sinceSample += size;
    if (this.#groups > WATCHED_GROUPS && this.#sinceSample < SAMPLE) return [];
    this.#sinceSample = 0;
    return [(this.#groups * 7) % size];
  }
}

function everyOne(waiting: readonly Candidate[]): JoinPlan {
  return { alone: waiting.map((_, index) => index), group: null, later: [] };
}

function isLarge({ length, cells }: Candidate): boolean {
  return length > LARGE_LENGTH || cells > LARGE_CELLS;
}

/**
 * Returns the properties of a document in a group that may affect its layout: its number of pages (4 means 4 or more),
 * whether the preceding document has an even number of pages, and whether the document is the last one.
 */
function situationsOf(place: number, pages: readonly (number | null)[]): ReadonlySet<number> {
  const before = pages[place - 1];
  const parity = before === undefined ? "nothing" : before === null ? "unknown" : before % 2;
  const last = place === pages.length - 1;
  return new Set([
    formOf(`pages ${Math.min(pages[place] ?? 0, 4)}`),
    formOf(`after ${parity}`),
    formOf(`last ${last}`),
  ]);
}

function isSubset(forms: ReadonlySet<number>, known: ReadonlySet<number>): boolean {
  for (const form of forms) if (!known.has(form)) return false;
  return true;
}
