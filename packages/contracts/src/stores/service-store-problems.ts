import { QuireError } from "../errors.ts";

const quoted = (text: string): string => JSON.stringify(text);

/** The errors of every file catalog, token store and webhook store, with the same messages. */
export const serviceStoreProblems = {
  noFolder: (id: string): QuireError =>
    new QuireError("not_found", `There is no folder ${quoted(id)}. Check its id.`),

  noFile: (id: string): QuireError =>
    new QuireError("not_found", `There is no file ${quoted(id)}. Check its id.`),

  noEntry: (id: string): QuireError =>
    new QuireError("not_found", `There is no file or folder ${quoted(id)}. Check its id.`),

  nameTaken: (name: string): QuireError =>
    new QuireError(
      "conflict",
      `The name ${quoted(name)} is taken in the folder. Use another name, or remove the entry that has it.`,
    ),

  stoodFor: (type: "file" | "folder", storageId: string): QuireError =>
    new QuireError(
      "conflict",
      `Another catalog entry refers to the ${type} ${quoted(storageId)} in the storage. Find the entry by that id.`,
    ),

  leftOver: (type: "file" | "folder", storageId: string): QuireError =>
    new QuireError(
      "conflict",
      `The ${type} ${quoted(storageId)} in the storage is about to be removed. Try again later, or use another one.`,
      { retryable: true },
    ),

  isRoot: (): QuireError =>
    new QuireError(
      "conflict",
      "The root folder can neither be renamed nor removed. Give the id of a folder or a file in it.",
    ),

  notEmpty: (name: string): QuireError =>
    new QuireError(
      "conflict",
      `The folder ${quoted(name)} is not empty. Remove its contents first.`,
    ),

  changed: (id: string): QuireError =>
    new QuireError(
      "conflict",
      `The file ${quoted(id)} has changed in the meantime. Read it again, and retry if your change still applies.`,
    ),

  badOffset: (): QuireError =>
    new QuireError(
      "invalid_request",
      "The page offset must be a non-negative integer, and cannot be combined with a marker. Use one of them.",
    ),

  tokenKnown: (): QuireError =>
    new QuireError(
      "conflict",
      "There is already a token with the same id or the same hash. Create another one.",
    ),

  webhookKnown: (id: string): QuireError =>
    new QuireError("conflict", `There is already a webhook ${quoted(id)}. Use another id.`),

  noWebhook: (id: string): QuireError =>
    new QuireError("not_found", `There is no webhook ${quoted(id)}. Check its id.`),
};
