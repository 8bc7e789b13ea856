import { test } from "vitest";
import { expectNoLeaks } from "./support/links.ts";

test("a service without namespaces fetches and reads nothing that a template names", () =>
  expectNoLeaks({ ways: ["by a file's address"], withoutNamespaces: true }));
