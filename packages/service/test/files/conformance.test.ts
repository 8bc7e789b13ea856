import { storageConformance } from "@quire/conformance";
import { describe, test } from "vitest";
import { ANNA, makePlace, ROOT } from "./support/place.ts";

const OTHER_ID = "Ids are never reused: a file that is created again gets a new id.";
const RESPONDS = "The storage is in memory, and always responds.";
const NO_PATH = "The test assumes that an id is a path whose last segment is the name.";

describe("the files of a tenant fulfil the contract of Storage, by ids:", () => {
  storageConformance({
    test,
    fixture: async () => {
      const { files, open } = makePlace();
      const { id } = await files.createFolder(ANNA, "0", "out");
      return {
        storage: files.storageOf(ANNA.tenant),
        open: () => open().storageOf(ANNA.tenant),
        folder: { type: "folder", id },
        parent: ROOT,
      };
    },
    skip: {
      "other bytes under the same name have another version": OTHER_ID,
      "removeFolder removes an empty folder, and may be called twice": OTHER_ID,
      "an aborted signal ends each call to a medium that does not respond": RESPONDS,
      "list returns folders too, but not their contents": NO_PATH,
      "a reader does not see a file while its stream is read": NO_PATH,
      "if 20 streams and 5 other calls create one name concurrently, exactly one succeeds": NO_PATH,
    },
  });
});

describe("the files of a tenant fulfil the contract of Storage, by paths:", () => {
  storageConformance({
    test,
    fixture: async () => {
      const { files, open } = makePlace();
      await files.createFolder(ANNA, "0", "out");
      return {
        storage: files.storageOf(ANNA.tenant),
        open: () => open().storageOf(ANNA.tenant),
        folder: { type: "folder", id: "path:out" },
        parent: { type: "folder", id: "path:" },
      };
    },
    skip: {
      "other bytes under the same name have another version": OTHER_ID,
      "removeFolder removes an empty folder, and may be called twice": OTHER_ID,
      "an aborted signal ends each call to a medium that does not respond": RESPONDS,
      "list returns folders too, but not their contents":
        "Listed items have the ids of the catalog.",
    },
  });
});
