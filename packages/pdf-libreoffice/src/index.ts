export { type LibreOfficeOptions, libreOffice } from "./converter.ts";
export {
  type FindSofficeOptions,
  findSoffice,
  INSTALL_HINT,
  type SofficeVersionOptions,
  sofficeVersion,
} from "./soffice.ts";
