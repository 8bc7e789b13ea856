// 25 invoices from a seed. Sums are exact cents, and everything printed is a formatted string.

import { CUSTOMERS, type Customer, NOTES, PRODUCTS } from "./catalog.ts";

/** The number of items of each invoice. The longest invoices have several pages. */
const ITEM_COUNTS = [
  3, 1, 8, 4, 6, 40, 2, 12, 5, 24, 1, 3, 9, 7, 4, 2, 31, 5, 11, 6, 3, 10, 26, 4, 18,
];
const METHODS = ["bank transfer", "card", "paid"] as const;
const EU =
  "France Germany Poland Spain Italy Denmark Czechia Greece Bulgaria Netherlands Portugal Sweden";
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAY_MS = 86_400_000;

interface Item {
  readonly description: string;
  readonly detail?: string;
  readonly quantity: string;
  readonly unit?: string;
  readonly unitPrice: string;
  readonly amount: string;
}

export interface InvoiceEntry {
  readonly customer: Customer;
  readonly invoice: {
    readonly number: string;
    readonly date: string;
    readonly due: string;
    readonly reference?: string;
    readonly items: readonly Item[];
    readonly subtotal: string;
    readonly discountLabel?: string;
    readonly discount?: string;
    readonly vatLabel: string;
    readonly vat: string;
    readonly total: string;
    readonly payment: (typeof METHODS)[number];
    readonly cardEnding?: string;
    readonly paidOn?: string;
    readonly note?: string;
  };
}

/** A number from 0 up to, but not including, `below`. */
type Pick = (below: number) => number;

export function invoices(seed: number): InvoiceEntry[] {
  const pick = pickerOf(seed);
  return CUSTOMERS.map((customer, index) => ({
    customer,
    invoice: invoiceOf(customer, index, pick),
  }));
}

function invoiceOf(customer: Customer, index: number, pick: Pick): InvoiceEntry["invoice"] {
  const date = Date.UTC(2026, 0, 5) + index * 3 * DAY_MS;
  const lines = Array.from({ length: ITEM_COUNTS[index] ?? 1 }, () => itemOf(pick));
  const subtotal = lines.reduce((sum, line) => sum + line.cents, 0);
  const percentOff = index % 4 === 2 ? 5 : 0;
  const discount = share(subtotal, percentOff);
  const { label, rate } = vatOf(customer);
  const vat = share(subtotal - discount, rate);
  const payment = METHODS[pick(METHODS.length)] ?? "paid";
  return {
    number: `INV-2026-${String(index + 1).padStart(4, "0")}`,
    date: dateText(date),
    due: dateText(date + 30 * DAY_MS),
    ...(index % 3 === 0 ? {} : { reference: `PO ${4200 + pick(700)}/${"ABCDÉ"[pick(5)]}` }),
    items: lines.map((line) => line.item),
    subtotal: euros(subtotal),
    ...(percentOff === 0
      ? {}
      : { discountLabel: `Discount ${percentOff} %`, discount: euros(discount) }),
    vatLabel: label,
    vat: euros(vat),
    total: `€ ${euros(subtotal - discount + vat)}`,
    payment,
    ...(payment === "card" ? { cardEnding: String(1000 + pick(9000)) } : {}),
    ...(payment === "paid" ? { paidOn: dateText(date + pick(3) * DAY_MS) } : {}),
    ...(index % 2 === 0 ? { note: NOTES[pick(NOTES.length)] ?? "" } : {}),
  };
}

function itemOf(pick: Pick): { item: Item; cents: number } {
  const product = PRODUCTS[pick(PRODUCTS.length)];
  if (product === undefined) throw new Error("The catalog has no products.");
  const { description, unit, details, cents: price } = product;
  const detail = details?.[pick(details.length)];
  const tenths = product.tenths === true ? 5 + pick(120) : 10 * quantityFor(price, pick);
  const cents = (tenths * price) / 10;
  if (!Number.isSafeInteger(cents)) throw new Error(`"${description}" has no amount in cents.`);
  const item = {
    description,
    ...(detail === undefined ? {} : { detail }),
    quantity: tenths % 10 === 0 ? grouped(tenths / 10) : (tenths / 10).toFixed(1),
    ...(unit === undefined ? {} : { unit: tenths === 10 ? unit[0] : unit[1] }),
    unitPrice: euros(price),
    amount: euros(cents),
  };
  return { item, cents };
}

function quantityFor(price: number, pick: Pick): number {
  return price < 300 ? 50 * (1 + pick(20)) : 1 + pick(12);
}

function vatOf({ country, vatId }: Customer): { label: string; rate: number } {
  if (country === "Ireland") return { label: "VAT 23 %", rate: 23 };
  if (!EU.includes(country)) return { label: "VAT 0 %, export", rate: 0 };
  if (vatId === undefined) return { label: "VAT 23 %", rate: 23 };
  return { label: "VAT 0 %, reverse charge", rate: 0 };
}

/** A percentage of an amount in cents. Half a cent is rounded up. */
function share(cents: number, percent: number): number {
  return Math.floor((cents * percent + 50) / 100);
}

function euros(cents: number): string {
  return `${grouped(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;
}

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

function dateText(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** mulberry32: a small seeded generator with the same results everywhere. */
function pickerOf(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
