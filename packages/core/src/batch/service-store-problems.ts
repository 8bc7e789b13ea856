import { QuireError } from "../errors.ts";

const quoted = (text: string): string => JSON.stringify(text);

/** The errors that every file catalog, token store and webhook store rejects with, in the same words. */
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
      `The name ${quoted(name)} is taken in the folder. Use another name, or remove what has it.`,
    ),

  stoodFor: (type: "file" | "folder", storageId: string): QuireError =>
    new QuireError(
      "conflict",
      `Something else in the catalog stands for the ${type} ${quoted(storageId)} of the storage. Look for it by that id.`,
    ),

  leftOver: (type: "file" | "folder", storageId: string): QuireError =>
    new QuireError(
      "conflict",
      `The ${type} ${quoted(storageId)} of the storage is about to be removed there. Try again when it was, or use another one.`,
      { retryable: true },
    ),

  isRoot: (): QuireError =>
    new QuireError(
      "conflict",
      "The root folder can neither be renamed nor removed. Name a folder or a file in it.",
    ),

  notEmpty: (name: string): QuireError =>
    new QuireError(
      "conflict",
      `The folder ${quoted(name)} is not empty. Remove what is in it before.`,
    ),

  changed: (id: string): QuireError =>
    new QuireError(
      "conflict",
      `The file ${quoted(id)} is not any more as it was. Look at it again, and try again if that is still right.`,
    ),

  badOffset: (): QuireError =>
    new QuireError(
      "invalid_request",
      "The offset of a page must be a whole number from 0, and is not given together with a marker. Give one of them.",
    ),

  tokenKnown: (): QuireError =>
    new QuireError(
      "conflict",
      "There is a token with the same id or the same hash. Make another one.",
    ),

  webhookKnown: (id: string): QuireError =>
    new QuireError("conflict", `There is a webhook ${quoted(id)} already. Use another id.`),

  noWebhook: (id: string): QuireError =>
    new QuireError("not_found", `There is no webhook ${quoted(id)}. Check its id.`),
};
