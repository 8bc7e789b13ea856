/** What the supervisor sends to a lane's process: one document at a time. */
export interface ConvertRequest {
  readonly document: Uint8Array;
}

/** What a lane's process sends: `ready` once, then one answer to each request. */
export type LaneReply =
  | { readonly type: "ready" }
  | { readonly type: "converted"; readonly bytes: Uint8Array; readonly pages: number }
  | {
      readonly type: "failed";
      /** What LibreOffice did, as the rest of a sentence. */
      readonly problem: string;
      /** What it printed, and what was thrown: for the cause, not for the message. */
      readonly detail: string;
    };
