import { jobStoreConformance } from "@quire/conformance";
import { describe } from "vitest";
import { registerJobStoreCases } from "../../core/test/support/job-store-cases.ts";
import { makePlace } from "./support/place.ts";

describe("postgresStores keeps the contract of JobStore:", () => {
  registerJobStoreCases((test) =>
    jobStoreConformance({
      test,
      fixture: async () => {
        const place = await makePlace();
        const open = () => place.open().jobs;
        const places = [place];
        return {
          store: open(),
          open,
          openSmall: async (maxWaiting) => {
            const small = await makePlace();
            places.push(small);
            return small.open({ maxWaiting }).jobs;
          },
          destroy: async () => {
            for (const each of places) await each.destroy();
          },
        };
      },
    }),
  );
});
