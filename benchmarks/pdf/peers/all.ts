import type { Peer } from "./peer.ts";

/** The baseline: how Node programs usually convert documents. */
export const LIBREOFFICE_CONVERT: Peer = {
  name: "libreoffice-convert",
  title: "libreoffice-convert",
  runs: "node",
  inFlight: 1,
  step: 1,
  pace: 1,
};

/** A LibreOffice that listens for requests, and a Python that controls it. */
export const LISTENER: Peer = {
  name: "listener",
  title: "unoserver's way",
  runs: "python",
  inFlight: 1,
  step: 1,
  pace: 8,
};

/** Like {@link LISTENER}, with a new Python for each document and a new LibreOffice after ten documents. */
export const PER_DOCUMENT: Peer = {
  name: "per-document",
  title: "Gotenberg's way",
  runs: "python",
  inFlight: 1,
  step: 10,
  pace: 1,
};

/** Quire's pool with one lane. While a document is converted, the next one is already waiting. */
export const ONE_LANE: Peer = {
  name: "quire-1",
  title: "Quire, 1 lane",
  runs: "node",
  inFlight: 2,
  step: 1,
  pace: 8,
};

/** Quire's pool with two lanes. */
export const TWO_LANES: Peer = {
  name: "quire-2",
  title: "Quire, 2 lanes",
  runs: "node",
  inFlight: 4,
  step: 1,
  pace: 8,
};

/** The peers, in the order of the results page. The first one is the baseline. */
export const PEERS: readonly Peer[] = [
  LIBREOFFICE_CONVERT,
  PER_DOCUMENT,
  LISTENER,
  ONE_LANE,
  TWO_LANES,
];
