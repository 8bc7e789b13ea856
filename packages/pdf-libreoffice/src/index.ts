export { type LibreOfficeOptions, libreOffice } from "./converter.ts";
export {
  type FindSofficeOptions,
  findSoffice,
  type SofficeVersionOptions,
  sofficeVersion,
} from "./soffice.ts";
