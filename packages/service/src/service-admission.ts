import type { TenantStore } from "@quire/core/host";
import {
  type Admission,
  type AdmittedRequest,
  type Operation,
  type Principal,
  Problem,
} from "@quire/http/parts";
import type { Limits } from "./limits/limits.ts";
import { sentBody } from "./request/download.ts";
import type { FairGate } from "./request/fair-gate.ts";
import { createGates } from "./request/gates.ts";
import { RateLimit } from "./request/rate-limit.ts";
import { RejectionThrottle } from "./request/rejection-throttle.ts";
import { TenantBudget } from "./request/tenant-budget.ts";

/** Stands for senders that were not identified. No enterprise has this name. */
const NOBODY = "";
/** Length in bytes above which a body is long. The parsed form of a long body may take a hundred megabytes. */
const LONG_BYTES = 512 * 1024;
/**
 * Length above which a response is long. Shorter responses need no limit: the request rate limits them, and a client
 * that does not read them is soon disconnected.
 */
const LONG_ANSWER_BYTES = 64 * 1024;
const SUSPENDED = { reason: "suspended" } as const;

/**
 * Admits the requests of a service. Rejects suspended tenants. Enforces the limits on rates, memory and concurrent
 * work.
 */
export class ServiceAdmission implements Admission {
  readonly #limits: Limits;
  /** Contains the suspended tenants; null if tenants cannot be suspended. */
  readonly #tenants: TenantStore | null;
  readonly #gates: ReturnType<typeof createGates>;
  readonly #rate: RateLimit;
  /** Delays rejections with 401 or 429, and rejections of suspended tenants. */
  readonly #throttle = new RejectionThrottle();
  /** The bytes of JSON bodies, counted from the start of reading to the end of the request. */
  readonly #budget: TenantBudget;
  /** The bytes of files and long responses that are being sent. */
  readonly downloads: TenantBudget;

  constructor(limits: Limits, tenants: TenantStore | null) {
    this.#limits = limits;
    this.#tenants = tenants;
    this.#gates = createGates(limits);
    this.#rate = new RateLimit(limits.requestsPerMinute);
    this.#budget = new TenantBudget(limits.heldBodyBytes);
    this.downloads = new TenantBudget(limits.heldBytes);
  }

  /** Whether no further request can wait. */
  get isFull(): boolean {
    return this.#gates.gate.isFull;
  }

  /**
   * Waits until received bytes of an upload may be processed. Resolves with a function to call when they are processed.
   */
  uploadTurn(tenant: string): Promise<() => void> {
    return this.#gates.slowGate.enter(tenant, { isBack: true });
  }

  async admit({ enterprise: tenant, user }: Principal): Promise<AdmittedRequest> {
    if (await this.#isSuspended(tenant)) throw suspended();
    this.#rate.take(JSON.stringify([tenant, user]));
    const holding = this.#budget.holding(tenant);
    return {
      holding,
      enter: (operation) => this.#enter(operation, tenant, holding.bytes > LONG_BYTES),
      reportTurn: () => this.#throttle.turn(tenant),
      sent: (text) => this.#sent(text, tenant),
    };
  }

  async rejected(who: Principal | null, error: unknown): Promise<void> {
    if (!(error instanceof Problem)) return;
    const { status, context } = error;
    if (status === 401 || status === 429 || context === SUSPENDED) {
      await this.#throttle.turn(who?.enterprise ?? NOBODY);
    }
  }

  async #isSuspended(name: string): Promise<boolean> {
    const tenant = (await this.#tenants?.find(name)) ?? null;
    return tenant !== null && tenant.suspendedAt !== null;
  }

  /**
   * Resolves with a function that releases all places. A request with a long body first enters the gate for long
   * bodies, so that it does not occupy a place in the other gate while it waits.
   */
  async #enter(
    operation: Pick<Operation, "isSlow" | "upload">,
    tenant: string,
    isLong: boolean,
  ): Promise<() => void> {
    const gate = this.#gateOf(operation);
    if (!isLong) return gate.enter(tenant);
    const { longGate, longSlowGate } = this.#gates;
    const leaveLong = await (operation.isSlow ? longSlowGate : longGate).enter(tenant);
    try {
      const leave = await gate.enter(tenant);
      return () => {
        leave();
        leaveLong();
      };
    } catch (error) {
      leaveLong();
      throw error;
    }
  }

  #gateOf({ isSlow, upload }: Pick<Operation, "isSlow" | "upload">): FairGate {
    const { gate, slowGate, uploads } = this.#gates;
    if (upload !== null) return uploads;
    return isSlow ? slowGate : gate;
  }

  /** Counts a long response as a download until the client has read it. Throws a 429 or 503 if the limit is reached. */
  #sent(text: string, tenant: string): string | ReadableStream<Uint8Array> {
    if (text.length <= LONG_ANSWER_BYTES) return text;
    const bytes = Buffer.from(text);
    const holding = this.downloads.holding(tenant);
    holding.add(bytes.length);
    return sentBody(bytes, { idleMs: this.#limits.idleMs, onEnd: () => holding.release() });
  }
}

function suspended(): Problem {
  return new Problem(
    403,
    "forbidden",
    "The operator of the service has suspended the enterprise: it cannot read or change anything, and its jobs wait. Ask the operator to resume it.",
    { context: SUSPENDED },
  );
}
