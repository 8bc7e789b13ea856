import { storageConformance } from "@quire/core/conformance";
import { describe, test } from "vitest";
import { ANNA, makePlace, ROOT } from "./support/place.ts";

const OTHER_ID = "Ids are never reused: a file that is created again gets a new id.";
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
      "removeFolder takes an empty folder away, and does so twice": OTHER_ID,
      "list gives folders too, and not what stands in them": NO_PATH,
      "a reader sees nothing of a file while its stream comes": NO_PATH,
      "of 20 concurrent streams and 5 others of one name exactly one wins": NO_PATH,
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
      "removeFolder takes an empty folder away, and does so twice": OTHER_ID,
      "list gives folders too, and not what stands in them":
        "Listed items have the ids of the catalog.",
    },
  });
});
