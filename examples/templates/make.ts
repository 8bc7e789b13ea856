// Writes the templates in this folder: `node examples/templates/make.ts`.
// The same source gives the same bytes, so another run does not change the files.

import { writeFile } from "node:fs/promises";
import type { Document } from "docx";
import { contractTemplate } from "./make/contract.ts";
import { HEBREW, JAPANESE } from "./make/editions.ts";
import { invoiceTemplate } from "./make/invoice.ts";
import { invoiceAbroad } from "./make/invoice-abroad.ts";
import { letterTemplate } from "./make/letter.ts";
import { packDocument } from "./make/pack.ts";
import { registrationForm } from "./make/registration.ts";

const templates: readonly { name: string; title: string; document: () => Document }[] = [
  { name: "invoice.docx", title: "Invoice", document: invoiceTemplate },
  { name: "invoice-ja.docx", title: "請求書", document: () => invoiceAbroad(JAPANESE) },
  { name: "invoice-he.docx", title: "חשבונית מס", document: () => invoiceAbroad(HEBREW) },
  { name: "letter.docx", title: "Membership letter", document: letterTemplate },
  { name: "contract.docx", title: "Framework services agreement", document: contractTemplate },
];

for (const { name, title, document } of templates) {
  await writeFile(new URL(name, import.meta.url), await packDocument(document(), title));
}

await writeFile(new URL("registration.pdf", import.meta.url), await registrationForm());
