import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, type JoinTrust, joinTrust } from "../src/join/trust.ts";

function document(...forms: number[]): Candidate {
  return { forms: new Set(forms), length: 10_000, cells: 0, mostPages: Number.POSITIVE_INFINITY };
}

function many(count: number, ...forms: number[]): Candidate[] {
  return Array.from({ length: count }, () => document(...forms));
}

/** Processes documents like a converter. Returns how many joined PDFs were used and how many were compared. */
function workThrough(
  trust: JoinTrust,
  documents: readonly Candidate[],
  pagesOf: (document: Candidate) => number = () => 1,
): { alone: number; joined: number; compared: number; groups: number[] } {
  const result = { alone: 0, joined: 0, compared: 0, groups: [] as number[] };
  let waiting = [...documents];
  while (waiting.length > 0) {
    const plan = trust.plan(waiting, true);
    result.alone += plan.alone.length;
    if (plan.group !== null) {
      const members = plan.group.members.map((index) => waiting[index] as Candidate);
      const pages = members.map(pagesOf);
      const { alone, compare } = trust.check(members, pages, plan.group.compare);
      const usable = trust.report(members, pages, new Map(compare.map((place) => [place, null])));
      result.groups.push(members.length);
      result.compared += compare.length;
      result.joined += usable ? members.length - alone.length : 0;
      result.alone += usable ? alone.length : members.length;
    }
    waiting = plan.later.map((index) => waiting[index] as Candidate);
  }
  return result;
}

describe("trust in joined conversion", () => {
  test("starts with a small group whose documents are all converted both ways", () => {
    const trust = joinTrust();
    const { group, later } = trust.plan(many(50, 1), false);
    expect(group?.members).toEqual([0, 1, 2, 3, 4, 5]);
    expect(group?.compare).toEqual([0, 1, 2, 3, 4, 5]);
    expect(later).toHaveLength(44);
  });

  test("waits for that group before anything else is joined", () => {
    const trust = joinTrust();
    trust.plan(many(50, 1), false);
    expect(trust.plan(many(44, 1), true)).toEqual({
      alone: [],
      group: null,
      later: [...Array(44).keys()],
    });
  });

  test("passes its proofs to the next lane, which compares single documents immediately", () => {
    const first = joinTrust();
    workThrough(first, many(100, 1));
    const proven = first.takeProven();
    expect(first.takeProven()).toEqual([]);
    expect(workThrough(joinTrust(proven), many(100, 1))).toMatchObject({
      joined: 100,
      compared: 3,
      groups: [40, 40, 20],
    });
    expect(workThrough(joinTrust(proven), many(40, 2)).compared).toBeGreaterThanOrEqual(6);
  });

  test("converts a few documents alone", () => {
    expect(workThrough(joinTrust(), many(17, 1))).toEqual({
      alone: 17,
      joined: 0,
      compared: 0,
      groups: [],
    });
  });

  test("joins a thousand documents, and compares a few of them", () => {
    const { alone, joined, compared, groups } = workThrough(joinTrust(), many(1_000, 1, 2));
    expect(alone + joined).toBe(1_000);
    expect(alone).toBeLessThan(3);
    expect(Math.max(...groups)).toBe(40);
    expect(compared).toBeGreaterThanOrEqual(15);
    expect(compared).toBeLessThan(30);
  });

  test("stops joining after a difference, and keeps the reason", () => {
    const trust = joinTrust();
    const waiting = many(30, 1);
    const { group } = trust.plan(waiting, false);
    const members = (group?.members ?? []).map((index) => waiting[index] as Candidate);
    const pages = members.map(() => 1);
    expect(
      trust.report(
        members,
        pages,
        new Map([
          [0, null],
          [1, "a different position (glyph)"],
        ]),
      ),
    ).toBe(false);
    expect(trust.refused).toBe("a different position (glyph)");
    expect(trust.plan(waiting, false)).toEqual({
      alone: [...Array(30).keys()],
      group: null,
      later: [],
    });
  });

  test("stops joining when a group fails as a whole", () => {
    const trust = joinTrust();
    trust.plan(many(30, 1), false);
    trust.refuse("an entry without a start");
    expect(trust.plan(many(30, 1), false).alone).toHaveLength(30);
    trust.refuse("another reason");
    expect(trust.refused).toBe("an entry without a start");
  });

  test("proves documents with something new separately from known ones", () => {
    const trust = joinTrust();
    workThrough(trust, many(60, 1));
    const waiting = [...many(10, 1), ...many(4, 1, 2), ...many(10, 1)];
    const { group } = trust.plan(waiting, false);
    expect(group?.members).toEqual([10, 11, 12, 13]);
    expect(group?.compare).toEqual([0, 1, 2, 3]);
  });

  test("never joins a document with something new without comparing it", () => {
    const forms = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(forms, { minLength: 1, maxLength: 200 }), (list) => {
        const trust = joinTrust();
        const proven = new Set<number>();
        let waiting = list.map((each) => document(...each));
        while (waiting.length > 0) {
          const { alone, group, later } = trust.plan(waiting, true);
          expect(new Set([...alone, ...(group?.members ?? []), ...later]).size).toBe(
            waiting.length,
          );
          const members = (group?.members ?? []).map((index) => waiting[index] as Candidate);
          const pages = members.map(() => 1);
          const { compare } = trust.check(members, pages, group?.compare ?? []);
          for (const [place, member] of members.entries()) {
            if (compare.includes(place)) for (const form of member.forms) proven.add(form);
          }
          for (const member of members)
            for (const form of member.forms) expect(proven).toContain(form);
          if (group !== null)
            trust.report(members, pages, new Map(compare.map((place) => [place, null])));
          waiting = later.map((index) => waiting[index] as Candidate);
        }
      }),
    );
  });

  test("compares a document that has more pages than any before", () => {
    const trust = joinTrust();
    workThrough(trust, many(60, 1));
    const members = many(10, 1);
    const pages = members.map((_, place) => (place === 4 ? 3 : 1));
    expect(trust.check(members, pages, []).compare).toContain(4);
  });

  test("does not use results that have too many pages or are missing", () => {
    const members = many(3, 1).map((each) => ({ ...each, mostPages: 2 }));
    expect(joinTrust().check(members, [2, 3, null], []).alone).toEqual([1, 2]);
  });

  test("does not join large documents", () => {
    const large = { ...document(1), length: 1_000_000 };
    const tables = { ...document(1), cells: 2_000 };
    expect(joinTrust().plan([...many(20, 1), large, tables], false).alone).toEqual([20, 21]);
  });

  test("makes smaller groups of documents with tables, and of documents with many pages", () => {
    const tables = workThrough(
      joinTrust(),
      many(200, 1).map((each) => ({ ...each, cells: 200 })),
    );
    expect(Math.max(...tables.groups)).toBe(15);
    const pages = workThrough(joinTrust(), many(200, 1), () => 5);
    expect(Math.max(...pages.groups)).toBe(20);
  });

  test("stops joining documents only if joining does not make them faster", () => {
    const slow = joinTrust();
    slow.took("alone", 10, 100);
    for (let measured = 0; measured < 2; measured++) slow.took("joined", 40, 400);
    slow.took("joined", 30, 300);
    expect(slow.refused).toBeNull();
    slow.took("joined", 30, 300);
    expect(slow.refused).toBe("documents that are no faster when joined");
    const fast = joinTrust();
    fast.took("joined", 100, 300);
    fast.took("alone", 10, 100);
    expect(fast.refused).toBeNull();
  });

  test("continues joining after a busy moment, in which joined documents took longer", () => {
    const trust = joinTrust();
    trust.took("alone", 10, 100);
    for (let round = 0; round < 10; round++) {
      trust.took("joined", 40, 4_000);
      trust.took("joined", 40, 120);
    }
    expect(trust.refused).toBeNull();
  });

  test("stops joining documents with very many pages, and documents that are mostly converted again", () => {
    const long = joinTrust();
    workThrough(long, many(100, 1), () => 9);
    expect(long.refused).toBe("documents with many pages");
    const broken = joinTrust();
    workThrough(
      broken,
      many(100, 1).map((each) => ({ ...each, mostPages: 1 })),
      () => 2,
    );
    expect(broken.refused).toBe("documents that must be converted again");
  });
});
