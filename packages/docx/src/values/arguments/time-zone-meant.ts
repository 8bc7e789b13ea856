import { nearest } from "@quire/contracts";

/** A time zone, and its region and city in small letters without accents. */
interface Zone {
  readonly name: string;
  readonly region: string;
  readonly city: string;
}

/** Short names of time zones that are not known. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  ...{ MEZ: "Europe/Berlin", MESZ: "Europe/Berlin", CEST: "Europe/Berlin" },
  ...{ EDT: "America/New_York", CDT: "America/Chicago", MDT: "America/Denver" },
  ...{ PDT: "America/Los_Angeles", ET: "America/New_York", PT: "America/Los_Angeles" },
  ...{ EEST: "Europe/Athens", WEST: "Europe/Lisbon", AEST: "Australia/Sydney" },
};

let zones: readonly Zone[] | null = null;

/**
 * Returns the hint for a name that is not a time zone: `London`, `Europe/Zürich` or `GMT+1`. Null if none is similar.
 */
export function timeZoneMeant(text: string): string | null {
  const [, sign, hours = "", minutes = "00"] =
    /^\s*(?:GMT|UTC)\s*([+-])(\d{1,2})(?::?(\d\d))?\s*$/i.exec(text) ?? [];
  if (sign !== undefined) return `Write "${sign}${hours.padStart(2, "0")}:${minutes}".`;
  const short = SHORT_NAMES[text.trim().toUpperCase()];
  if (short !== undefined) return `Write timeZone("${short}").`;
  zones ??= Intl.supportedValuesOf("timeZone").map((name) => ({ name, ...partsOf(name) }));
  const { region, city } = partsOf(text);
  const among = zones.filter((zone) => region === "" || zone.region === region);
  const near = nearest(
    city,
    among.map((zone) => zone.city),
  );
  const found = among.find((zone) => zone.city === near);
  return found === undefined ? null : `Did you mean "${found.name}"?`;
}

/** The last part of a name is the city, as in `America/Argentina/Salta`. */
function partsOf(name: string): Omit<Zone, "name"> {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
  const parts = plain.replace(/[\s_]+/g, "_").split("/");
  return { city: parts.at(-1) ?? "", region: parts.slice(0, -1).join("/") };
}
