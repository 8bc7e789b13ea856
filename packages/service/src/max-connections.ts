/** The maximum number of connections. More would use memory that documents need. Gateways keep far fewer. */
const MAX_CONNECTIONS = 10_000;
/**
 * Number of open files to allow for each connection: one for its socket, and two for request data, databases, processes
 * and webhooks.
 */
const FILES_PER_CONNECTION = 3;

/**
 * Returns the maximum number of connections for a server in this process. Leaves room for the files and processes that
 * requests and jobs open. Otherwise, clients that only connect could prevent the service from working.
 */
export function defaultMaxConnections(): number {
  return Math.min(MAX_CONNECTIONS, Math.max(1, Math.floor(openFileLimit() / FILES_PER_CONNECTION)));
}

/**
 * Adds a field that Node's types lack. Without `excludeNetwork`, Node would look up the host names of all connections.
 */
type Report = NodeJS.ProcessReport & { excludeNetwork: boolean };
/** The limits in a report. They are missing on Windows. */
interface Limited {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | "unlimited" } };
}

/** Returns the number of files that the system lets this process open. */
function openFileLimit(): number {
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
