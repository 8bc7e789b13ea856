// Creates 25 invoices from a seed, as entries of a batch. Amounts are numbers and dates are in ISO 8601, because the
// template formats them. All sums are computed in whole cents, and quantity times price never needs rounding.

import { CUSTOMERS, type Customer, EU, LOCALES, NOTES, PRODUCTS } from "./catalog.ts";

/** The number of items of each invoice. The longest invoices have several pages. */
const ITEM_COUNTS = [
  3, 1, 8, 4, 6, 40, 2, 12, 5, 24, 1, 3, 9, 7, 4, 2, 31, 5, 11, 6, 3, 10, 26, 4, 18,
];
const METHODS = ["bank transfer", "card", "paid"] as const;
const DAY_MS = 86_400_000;
/** The VAT rates of Ireland per mille: for goods, and for repairs. */
const STANDARD = 230;
const REDUCED = 135;

interface Item {
  readonly description: string;
  readonly detail?: string;
  readonly quantity: number;
  readonly unit?: string;
  readonly unitPrice: number;
  readonly taxRate: number;
}

/** The items of one VAT rate: their net sum, and the VAT on it, rounded once. */
interface Tax {
  readonly rate: number;
  readonly net: number;
  readonly amount: number;
}

/** The data of an invoice. */
export interface InvoiceData {
  readonly customer: Customer;
  readonly invoice: {
    readonly number: string;
    readonly issued: string;
    readonly due: string;
    readonly reference?: string;
    readonly vat: "domestic" | "reverse charge" | "export";
    readonly deposit: number;
    readonly payment: (typeof METHODS)[number];
    readonly cardEnding?: string;
    readonly paidOn?: string;
    readonly note?: string;
  };
  readonly items: readonly Item[];
  readonly taxes: readonly Tax[];
}

export interface InvoiceEntry {
  readonly generated_file_name: string;
  readonly locale: string;
  readonly user_input: InvoiceData;
}

/** A number from 0 up to, but not including, `below`. */
type Pick = (below: number) => number;

export function invoices(seed: number): InvoiceEntry[] {
  const pick = pickerOf(seed);
  return CUSTOMERS.map((customer, index) => {
    const data = invoiceOf(customer, index, pick);
    return {
      generated_file_name: data.invoice.number,
      locale: LOCALES[customer.country] ?? "en-IE",
      user_input: data,
    };
  });
}

function invoiceOf(customer: Customer, index: number, pick: Pick): InvoiceData {
  const issued = Date.UTC(2026, 0, 5) + index * 3 * DAY_MS;
  const vat = vatOf(customer);
  const count = ITEM_COUNTS[index] ?? 1;
  const lines = Array.from({ length: count }, () => lineOf(pick, vat === "domestic"));
  const taxes = taxesOf(lines);
  const total = taxes.reduce((sum, { net, amount }) => sum + net + amount, 0);
  const payment = METHODS[pick(METHODS.length)] ?? "paid";
  return {
    customer,
    invoice: {
      number: `INV-2026-${String(index + 1).padStart(4, "0")}`,
      issued: isoDate(issued),
      due: isoDate(issued + 30 * DAY_MS),
      ...(index % 3 === 0 ? {} : { reference: `PO ${4200 + pick(700)}/${"ABCDÉ"[pick(5)]}` }),
      vat,
      deposit: index % 4 === 2 ? euros(5000 * Math.ceil(total / 20_000)) : 0,
      payment,
      ...(payment === "card" ? { cardEnding: String(1000 + pick(9000)) } : {}),
      ...(payment === "paid" ? { paidOn: isoDate(issued + pick(3) * DAY_MS) } : {}),
      ...(index % 2 === 0 ? { note: NOTES[pick(NOTES.length)] ?? "" } : {}),
    },
    items: lines.map(({ item }) => item),
    taxes: taxes.map(({ rate, net, amount }) => ({
      rate: rate / 1000,
      net: euros(net),
      amount: euros(amount),
    })),
  };
}

/** An item, with its rate per mille and its amount in cents. */
interface Line {
  readonly item: Item;
  readonly rate: number;
  readonly cents: number;
}

function lineOf(pick: Pick, taxed: boolean): Line {
  const product = PRODUCTS[pick(PRODUCTS.length)];
  if (product === undefined) throw new Error("The catalog has no products.");
  const { description, unit, details, cents: price } = product;
  const detail = details?.[pick(details.length)];
  const tenths = product.tenths === true ? 5 + pick(120) : 10 * quantityFor(price, pick);
  const cents = (tenths * price) / 10;
  if (!Number.isSafeInteger(cents)) throw new Error(`"${description}" has no amount in cents.`);
  const rate = taxed ? (product.repair === true ? REDUCED : STANDARD) : 0;
  const item = {
    description,
    ...(detail === undefined ? {} : { detail }),
    quantity: tenths / 10,
    ...(unit === undefined ? {} : { unit: tenths === 10 ? unit[0] : unit[1] }),
    unitPrice: euros(price),
    taxRate: rate / 1000,
  };
  return { item, rate, cents };
}

function quantityFor(price: number, pick: Pick): number {
  return price < 300 ? 50 * (1 + pick(20)) : 1 + pick(12);
}

function vatOf({ country, vatId }: Customer): InvoiceData["invoice"]["vat"] {
  if (country === "Ireland") return "domestic";
  if (!EU.includes(country)) return "export";
  return vatId === undefined ? "domestic" : "reverse charge";
}

/** Computes the VAT for each rate, highest first, in cents. Half a cent is rounded up. */
function taxesOf(lines: readonly Line[]): { rate: number; net: number; amount: number }[] {
  const rates = [...new Set(lines.map(({ rate }) => rate))].sort((a, b) => b - a);
  return rates.map((rate) => {
    const taxed = lines.filter((line) => line.rate === rate);
    const net = taxed.reduce((sum, { cents }) => sum + cents, 0);
    return { rate, net, amount: Math.floor((net * rate + 500) / 1000) };
  });
}

function euros(cents: number): number {
  return cents / 100;
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Creates a seeded random generator, mulberry32, which gives the same results everywhere. */
function pickerOf(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
