/** More connections take memory that documents need; a gateway keeps far fewer. */
const MOST_CONNECTIONS = 10_000;
/** As many files again for what their requests read and write, and for databases, processes and webhooks. */
const FILES_PER_CONNECTION = 3;

/**
 * How many connections a server of this process can have: whatever they do, files and processes can be opened. Without
 * that, clients that do nothing but connect would keep everybody's documents from being read and written.
 */
export function mostConnections(): number {
  return Math.min(MOST_CONNECTIONS, Math.max(1, Math.floor(openFiles() / FILES_PER_CONNECTION)));
}

/** What Node's types lack. `excludeNetwork`: it would look up the names of all that are connected. */
type Report = NodeJS.ProcessReport & { excludeNetwork: boolean };
/** Windows has no limits. */
interface Limited {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | "unlimited" } };
}

/** How many files the system lets this process open. */
function openFiles(): number {
  const report = process.report as Report;
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  try {
    const { userLimits } = report.getReport() as Limited;
    const soft = userLimits?.open_files?.soft;
    return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}
