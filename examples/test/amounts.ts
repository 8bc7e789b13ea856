// Computes the amounts of an invoice again, in whole cents, and compares them with the amounts on its pages.

import { expect } from "vitest";

/** The numbers in the data of an invoice. */
export interface InvoiceData {
  readonly invoice: { readonly deposit?: number };
  readonly items: readonly { quantity: number; unitPrice: number; taxRate: number }[];
  readonly taxes: readonly { rate: number; net: number; amount: number }[];
}

interface Edition {
  /** The first title of the table of items. */
  readonly header: string;
  /** The label of the total. */
  readonly total: string;
  /** The cents in a unit of the currency, or 1. */
  readonly cents: 100 | 1;
  /** How a country rounds the tax of a rate. */
  readonly round: (cents: number) => number;
}

export const ENGLISH: Edition = {
  header: "Description",
  total: "Total to pay",
  cents: 100,
  round: Math.round,
};
export const JAPANESE: Edition = {
  header: "品名",
  total: "ご請求金額(税込)",
  cents: 1,
  round: Math.floor,
};
export const HEBREW: Edition = {
  header: "תיאור",
  total: "סה״כ לתשלום",
  cents: 100,
  round: Math.round,
};

export function assertAmounts(data: InvoiceData, lines: readonly string[], edition: Edition): void {
  const items = data.items.map((item) => ({ rate: item.taxRate, cents: amountOf(item, edition) }));
  const taxes = data.taxes.map(({ rate }) => {
    const net = sum(items.filter((item) => item.rate === rate).map(({ cents }) => cents));
    return { rate, net, amount: edition.round((net * Math.round(rate * 1000)) / 1000) };
  });
  const { cents } = edition;
  expect(taxes).toEqual(
    data.taxes.map(({ rate, net, amount }) => ({
      rate,
      net: Math.round(net * cents),
      amount: Math.round(amount * cents),
    })),
  );
  const { deposit = 0 } = data.invoice;
  const between = [
    sum(items.map((item) => item.cents)),
    ...taxes.map(({ amount }) => amount),
    ...(deposit > 0 ? [-Math.round(deposit * cents)] : []),
  ];
  expect(printedIn(lines, edition)).toEqual({
    items: items.map((item) => item.cents),
    between,
    total: sum(between),
  });
}

/** Computes the amount of a line, which has no fraction of a cent. */
function amountOf(
  { quantity, unitPrice }: InvoiceData["items"][number],
  { cents }: Edition,
): number {
  const tenths = Math.round(quantity * 10) * Math.round(unitPrice * cents);
  expect(tenths % 10).toBe(0);
  return tenths / 10;
}

/** Returns the printed amounts of the items, of the rows between the items and the total, and of the total. */
function printedIn(lines: readonly string[], { header, total }: Edition) {
  const rows = lines.map((line) => line.split(" | "));
  const end = rows.findIndex((row) => row.includes(total));
  const shown = rows.slice(rows.findIndex(([first]) => first === header) + 1, end);
  const amounts = (wanted: (cells: number) => boolean) =>
    shown.filter(({ length }) => wanted(length)).map((row) => centsIn(row.at(-1)));
  return {
    items: amounts((cells) => cells === 5),
    between: amounts((cells) => cells === 2 || cells === 3),
    total: centsIn(rows[end]?.at(-1)),
  };
}

/** Returns the cents of an amount that is printed with all its decimals. In any locale, these are its digits. */
function centsIn(amount = ""): number {
  const digits = Number(amount.replaceAll(/\D/g, ""));
  return /[-\u2212]/.test(amount) ? -digits : digits;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
