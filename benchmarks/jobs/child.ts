/** Runs one part of the benchmark of `main.ts` and prints its duration. */
import { measurePart, type PartTask } from "./parts.ts";

const task = JSON.parse(process.argv[2] ?? "") as PartTask;
const wallMs = await measurePart(task);
console.log(JSON.stringify({ wallMs, peakMb: process.resourceUsage().maxRSS / 1000 }));
