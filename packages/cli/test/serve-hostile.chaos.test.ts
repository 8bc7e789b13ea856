import { testHostileClients } from "./support/hostile.ts";

testHostileClients({ unpackedBytes: 1024 ** 3, isPatient: true });
