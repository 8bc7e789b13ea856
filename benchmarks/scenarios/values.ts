import type { Random } from "../word/random.ts";

const WORDS = (
  "the party agreement shall services provider client term payment notice liability confidential information breach " +
  "termination law jurisdiction warranty indemnify obligation reasonable written consent assign delivery acceptance fee invoice " +
  "intellectual property licence data protection force majeure dispute arbitration schedule annex herein thereof"
).split(" ");
const FIRST_NAMES = ["Ada", "Björn", "Chloé", "Dmitri", "Elif", "Fatou", "Grace", "Hana"];
const LAST_NAMES = [
  "Ångström",
  "Brown",
  "Curie",
  "Dvořák",
  "Ekström",
  "Ferrari",
  "García",
  "Hopper",
];
const CITIES = ["Berlin", "Kraków", "Lyon", "Málaga", "Oslo", "Porto", "Utrecht", "Zürich"];
const COMPANIES = [
  "Miller & Sons",
  "Nordlicht GmbH",
  "Café Central",
  "Ochoa <Trading>",
  "Blue Harbour Ltd",
];

/** Returns a sentence of words from contracts. */
export function sentence(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => random.pick(WORDS)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Returns the name of a person, often with letters that are not ASCII. */
export function personName(random: Random): string {
  return `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
}

/** Returns the name of a company, sometimes with characters that XML must escape. */
export function companyName(random: Random): string {
  return random.pick(COMPANIES);
}

/** Returns a street with a number. */
export function streetName(random: Random): string {
  return `${random.pick(LAST_NAMES)} Street ${1 + random.below(200)}`;
}

/** Returns the name of a city. */
export function cityName(random: Random): string {
  return random.pick(CITIES);
}

/** Returns a date as text. */
export function dateText(random: Random): string {
  return `${1 + random.below(28)}.${1 + random.below(12)}.${2020 + random.below(8)}`;
}

/** Returns an amount of money with two decimals and thousands separators. */
export function amountText(random: Random): string {
  const whole = random.below(100_000).toLocaleString("en-US");
  return `${whole}.${String(random.below(100)).padStart(2, "0")} €`;
}

/** Returns a number with several digits, as text. */
export function digits(random: Random, count: number): string {
  return String(random.below(10 ** count)).padStart(count, "0");
}
