import { storageConformance } from "@quire/conformance";
import { describe, test } from "vitest";
import { fsStorage } from "../src/index.ts";
import { makePlace, OUT } from "./support/place.ts";

describe("fsStorage keeps the contract of Storage:", () => {
  storageConformance({
    test: test.concurrent,
    skip: {
      "an aborted signal ends each call to a medium that does not respond":
        "The operating system cannot abort a call to a disk.",
    },
    fixture: async () => {
      const place = await makePlace();
      const open = () => fsStorage({ root: place.root });
      return {
        storage: open(),
        open,
        folder: OUT,
        parent: { type: "folder", id: "." },
        destroy: () => place[Symbol.asyncDispose](),
      };
    },
  });
});
