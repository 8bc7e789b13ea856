import { existsSync, renameSync } from "node:fs";
import { workerData } from "node:worker_threads";

/**
 * A thread that replaces a folder with a link and restores it, as fast as it can, until the file `stop` exists.
 */
interface Swap {
  readonly folder: string;
  readonly link: string;
  readonly stop: string;
}

const { folder, link, stop } = workerData as Swap;
const aside = `${folder}-aside`;
while (!existsSync(stop)) {
  for (let turn = 0; turn < 100; turn++) {
    renameSync(folder, aside);
    renameSync(link, folder);
    renameSync(folder, link);
    renameSync(aside, folder);
  }
}
