import { testHostileClients } from "./support/hostile.ts";

// A body has at most 10 MB. serve-hostile.chaos.test.ts unpacks a gigabyte, and waits until slow clients are disconnected.
testHostileClients({ unpackedBytes: 128 * 1024 ** 2, isPatient: false });
