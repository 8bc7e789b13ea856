import { expect, test } from "vitest";
import { type Expectation, type Place, RenderedRoom } from "../src/engine/rendered-room.ts";

const of = (flow: string, tenant = "a") => ({ tenant, flow });

/** Enters the room. `place` of the result is null until there is room. */
function entering(room: RenderedRoom, flow: string, expectation: Expectation) {
  const state: { place: Place | null } = { place: null };
  void room.enter(of(flow), expectation).then((place) => {
    state.place = place;
  });
  return state;
}

test("documents that turn out longer than expected keep the waiting ones of their tenant from beginning", async () => {
  const room = new RenderedRoom(100);
  const expectation = { expectedBytes: 1 };
  const first = await room.enter(of("one"), expectation);
  const second = await room.enter(of("one"), expectation);
  const other = await room.enter(of("one", "b"), { expectedBytes: 1 });
  expect(first.mayBegin()).toBe(true);
  first.leave(60);
  expect(expectation.expectedBytes).toBe(60);
  expect([second.mayBegin(), other.mayBegin()]).toEqual([false, true]);
  second.leave(0);
  expect(expectation.expectedBytes).toBe(60);
  const again = entering(room, "one", expectation);
  await Promise.resolve();
  expect(again.place).toBe(null);
  room.release(of("one"), 60);
  await expect.poll(() => again.place?.mayBegin()).toBe(true);
});

test("a document that got a place may begin until its tenant has too many rendered bytes", async () => {
  const room = new RenderedRoom(100);
  const expectation = { expectedBytes: 10 };
  const places = [await room.enter(of("one"), expectation)];
  for (let count = 0; count < 2; count++) places.push(await room.enter(of("one"), expectation));
  const last = entering(room, "one", expectation);
  await Promise.resolve();
  expect(last.place).toBe(null);
  expect(places.map((place) => place.mayBegin())).toEqual([true, true, true]);
});
