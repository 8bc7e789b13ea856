/** A process that endlessly adds files and versions to a catalog, and prints each file whose addition was confirmed. */
import { sqliteStores } from "../../dist/index.js";

const [path = "", prefix = ""] = process.argv.slice(2);
const { files } = sqliteStores({ path });
const root = await files.root("t", "out");
const version = { storageVersion: "1", size: 1, sha1: null, createdBy: null };

async function addForEver(lane: number): Promise<void> {
  for (let number = 0; ; number++) {
    const name = `${prefix}-${lane}-${number}`;
    const entry = { type: "file", parentId: root.id, name, createdBy: null } as const;
    const { id } = await files.add("t", { ...entry, version: { ...version, storageId: name } });
    process.stdout.write(`${id} ${name} 1\n`);
    await files.addVersion("t", id, { ...version, storageId: `${name}-2` });
    process.stdout.write(`${id} ${name} 2\n`);
  }
}

await Promise.all([1, 2, 3].map(addForEver));
