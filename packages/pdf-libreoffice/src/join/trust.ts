import { formOf } from "./forms.ts";

/** What is to be known of a document before it is joined. */
export interface Candidate {
  /** Numbers of the forms that it is made of. */
  readonly forms: ReadonlySet<number>;
  /** Characters of its main part. */
  readonly length: number;
  /** How many cells its tables have. */
  readonly cells: number;
  /**
   * Only on so many pages it is trusted: LibreOffice may break more of them otherwise, depending on what
   * stands around it.
   */
  readonly mostPages: number;
}

/** What to do with documents that wait, by their places among them. */
export interface JoinPlan {
  /** To be converted alone. */
  readonly alone: readonly number[];
  /** To be joined, in this order; null when there is nothing to join now. */
  readonly group: PlannedGroup | null;
  /** To be planned again when the group is reported. */
  readonly later: readonly number[];
}

/** Documents to be joined. */
export interface PlannedGroup {
  readonly members: readonly number[];
  /** Places in `members` whose documents are also converted alone, and compared, whatever comes out. */
  readonly compare: readonly number[];
}

/** What is to be done after a group was joined, converted and split; all are places in the group. */
export interface GroupCheck {
  /** Converted alone, instead. */
  readonly alone: readonly number[];
  /** Converted alone as well, and compared. */
  readonly compare: readonly number[];
}

/** Decides for the documents of one template, batch and tenant which may be joined. */
export interface JoinTrust {
  /** Why none is joined any more; null as long as some may be. */
  readonly refused: string | null;
  /** Plans for documents that wait. `last`: no more will come, so that there is nothing to wait for. */
  plan(waiting: readonly Candidate[], last: boolean): JoinPlan;
  /** Tells what the joined PDFs are good for. `pages`: of each member; null where it has no PDF. */
  check(
    members: readonly Candidate[],
    pages: readonly (number | null)[],
    planned: readonly number[],
  ): GroupCheck;
  /**
   * Takes up what comparing showed, by places in the group: a phrase for a difference, null for none. True
   * when the joined PDFs may be used; else all members are converted alone.
   */
  report(
    members: readonly Candidate[],
    pages: readonly (number | null)[],
    differences: ReadonlyMap<number, string | null>,
  ): boolean;
  /** Takes up how long so many documents took, from the docx to the PDF, joined or alone. */
  took(way: "joined" | "alone", documents: number, ms: number): void;
  /** Nothing is joined any more, since a group failed as a whole: then this is called instead of `report`. */
  refuse(reason: string): void;
}

/** The documents of the first group, all of which are converted both ways. */
const PROBE = 6;

/** Fewer documents are not worth a probe. */
const WORTH_A_PROBE = 3 * PROBE;

/** Fewer documents are not worth joining. */
const SMALLEST_GROUP = 3;

/** What LibreOffice is quick with: more entries, and more cells, take longer each. */
const MOST_ENTRIES = 40;
const MOST_CELLS = 3_000;
const MOST_LENGTH = 4_000_000;
const MOST_PAGES = 100;

/** Larger documents take as long in a group as alone. */
const LARGE_LENGTH = 400_000;
const LARGE_CELLS = 1_000;
const MANY_PAGES = 8;

/** Documents whose times are worth comparing; what joining must spare at least. */
const TIMED = { joined: 40, alone: PROBE };
const WORTH_IT = 0.8;

/** Groups of which one document is compared each; afterwards one of so many documents. */
const WATCHED_GROUPS = 3;
const SAMPLE = 100;

/** Begins without trust. One for each group of documents. */
export function joinTrust(): JoinTrust {
  return new Trust();
}

class Trust implements JoinTrust {
  #refused: string | null = null;
  /** The forms, and the situations, in which joined documents were like single ones. */
  readonly #proven = new Set<number>();
  #groups = 0;
  /** Whether a first group is on its way. */
  #probing = false;
  #sinceSample = 0;
  #entries = 0;
  #pages = 0;
  /** Entries whose joined PDFs were not used. */
  #wasted = 0;
  readonly #times = { joined: { documents: 0, ms: 0 }, alone: { documents: 0, ms: 0 } };

  get refused(): string | null {
    return this.#refused;
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
    if (this.#pages > MANY_PAGES * this.#entries) this.refuse("documents of many pages");
    for (const place of differences.keys()) {
      for (const form of members[place]?.forms ?? []) this.#proven.add(form);
      for (const situation of situationsOf(place, pages)) this.#proven.add(situation);
    }
    return true;
  }

  took(way: "joined" | "alone", documents: number, ms: number): void {
    const { joined, alone } = this.#times;
    this.#times[way].documents += documents;
    this.#times[way].ms += ms;
    if (joined.documents < TIMED.joined || alone.documents < TIMED.alone) return;
    const each = { joined: joined.ms / joined.documents, alone: alone.ms / alone.documents };
    if (each.joined > WORTH_IT * each.alone)
      this.refuse("documents that are no faster when joined");
  }

  refuse(reason: string): void {
    this.#refused ??= reason;
    this.#probing = false;
  }

  /** As many of the chosen documents as make a good group. */
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

  /** Which of so many documents of a trusted group are compared all the same. */
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

/** What matters of a document's place: how many pages it has, and whether an even number stands before it. */
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
