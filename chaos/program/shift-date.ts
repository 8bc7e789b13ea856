/**
 * Shifts the wall clock of a process that preloads this module. Affects only `Date`, like setting the system's clock.
 */
const shift = Number(process.env.QUIRE_CHAOS_SHIFT_MS ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: [], newTarget) =>
    Reflect.construct(target, values.length === 0 ? [target.now() + shift] : values, newTarget),
  get: (target, key, receiver) =>
    key === "now" ? () => RealDate.now() + shift : Reflect.get(target, key, receiver),
});
