export {
  fileNameProblem,
  foldName,
  MAX_NAME_BYTES,
  parseFileName,
} from "./batch/output-names.ts";
export {
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  isQuireError,
  QuireError,
  type QuireErrorOptions,
  type TemplatePlace,
  abortedError,
  throwIfAborted,
} from "./errors.ts";
export type { ConvertedDocument, Converter, ConvertOptions } from "./ports/converter.ts";
export type {
  FileInfo,
  FileRef,
  FolderEntry,
  FolderPage,
  FolderRef,
  ListOptions,
  ReadOptions,
  Storage,
  StorageOptions,
  StoredFile,
} from "./ports/storage.ts";
