/**
 * Sends every document that tries to fetch or read something to a service with all layers of the seal. For a service
 * without namespaces: `serve-links.chaos.test.ts`, for single layers: `pdf-libreoffice/test/links.chaos.test.ts`.
 */
import { test } from "vitest";
import { expectNoLeaks } from "./support/links.ts";

test("a service fetches and reads nothing that a template names", () =>
  expectNoLeaks({ ways: ["over the network", "by a file's address"] }));
