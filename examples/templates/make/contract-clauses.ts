// The numbered clauses of the contract. They use Word's numbering, which conditions and loops must keep intact.

import type { Paragraph } from "docx";
import { BRASS } from "./contract-styles.ts";
import { blockTag, type Content, paragraph } from "./kit.ts";
import { torn } from "./torn.ts";

export function clauses(): Paragraph[] {
  return [
    ...services(),
    ...fees(),
    ...term(),
    ...confidentiality(),
    ...workResults(),
    ...liability(),
    ...dataProtection(),
    ...general(),
  ];
}

function clause(title: string): Paragraph {
  return paragraph("Clause", title, { numbering: { reference: "clauses", level: 0 } });
}

function subClause(content: Content): Paragraph {
  return paragraph("SubClause", content, { numbering: { reference: "clauses", level: 1 } });
}

function item(content: Content): Paragraph {
  return paragraph("Item", content, { numbering: { reference: "clauses", level: 2 } });
}

function services(): Paragraph[] {
  return [
    clause("Services"),
    subClause(
      "The supplier provides the services that are listed in this clause. Each of them is described in the customer’s statement of work, which goes before this agreement only where it says so by name.",
    ),
    blockTag(torn("{{for service in services}}", { runs: 7 })),
    subClause([
      torn("{{service.title}}", { runs: 4, first: { bold: true } }),
      ", delivered by {{service.team :: default(“the supplier’s staff”)}}. This service comprises:",
    ]),
    blockTag("{{for task in service.tasks}}"),
    item([torn("{{task}}", { runs: 3, noise: "grammar" }), ";"]),
    blockTag(torn("{{endfor}}", { runs: 5 })),
    blockTag("{{endfor}}"),
    subClause([
      "The services are delivered in {{for region in contract.regions}}",
      torn('{{region :: delimiter(", ") :: lastdelimiter(" and ")}}', { runs: 15 }),
      "{{endfor}}. Work elsewhere needs the written consent of both parties.",
    ]),
    subClause(
      "The supplier may engage subcontractors after written notice. It answers for their work as for its own, and it names them to the customer on request.",
    ),
  ];
}

function fees(): Paragraph[] {
  return [
    clause("Fees and payment"),
    blockTag(torn('{{if fee.model == "fixed"}}', { runs: 13 })),
    subClause([
      "The supplier performs the services for a fixed fee of ",
      torn("{{fee.total}}", { runs: 5, first: { bold: true } }),
      ", payable by the milestones of the schedule. The fee changes only by a written change order.",
    ]),
    blockTag('{{elseif fee.model == "time and materials"}}'),
    subClause(
      "The supplier charges by the day for the time it has spent. The sum of {{fee.total}} in the schedule is an estimate; the supplier gives notice before it is exceeded.",
    ),
    blockTag(torn("{{else}}", { runs: 3 })),
    subClause(
      "The supplier is paid a monthly retainer. The sum of {{fee.total}} in the schedule is the most that may be charged in one year.",
    ),
    blockTag("{{endif}}"),
    subClause(
      "Work beyond the agreed scope is charged at {{fee.dayRate}} per person and day. Half days are charged by half; travelling time is not charged.",
    ),
    subClause([
      "Invoices are due within ",
      torn("{{fee.paymentDays}}", { runs: 6 }),
      " days of receipt. All sums are exclusive of value added tax, which the customer pays in addition where it applies.",
    ]),
    subClause(
      "A customer who disputes a part of an invoice says so within ten working days and pays the undisputed part when it is due.",
    ),
    blockTag("{{if fee.expenses isPresent and fee.expenses != “none”}}"),
    subClause("Expenses are reimbursed as follows: {{fee.expenses}}."),
    blockTag("{{endif}}"),
  ];
}

function term(): Paragraph[] {
  return [
    clause("Term and termination"),
    blockTag("{{if term.months > 0}}"),
    subClause([
      "This agreement starts on {{contract.effectiveDate}} and runs for ",
      torn("{{term.months}}", { runs: 3, first: { bold: true } }),
      " months. It then continues from year to year until it is terminated.",
    ]),
    blockTag("{{else}}"),
    subClause(
      "This agreement starts on {{contract.effectiveDate}} and continues until it is terminated.",
    ),
    blockTag("{{endif}}"),
    subClause(
      "Either party may terminate this agreement in writing with a notice of {{term.noticeDays}} days to the end of a month.",
    ),
    blockTag(torn("{{if term.noticeDays >= 60}}", { runs: 10 })),
    subClause(
      "During the period of notice the supplier keeps the named staff available and hands over the work in progress.",
    ),
    blockTag("{{endif}}"),
    subClause(
      "Either party may terminate at once where the other commits a material breach and does not remedy it within thirty days of written notice, or where the other becomes insolvent.",
    ),
    subClause(
      "On termination the customer pays for the services that have been performed up to that day. Clauses that are meant to outlast the agreement, such as those on confidentiality and liability, remain in force.",
    ),
  ];
}

function confidentiality(): Paragraph[] {
  return [
    clause("Confidentiality"),
    subClause([
      "Each party keeps the other’s confidential information secret during this agreement and for ",
      torn("{{term.confidentialityYears}}", { runs: 8 }),
      " years after it. It uses the information only to perform this agreement.",
    ]),
    subClause(
      "Information is not confidential where the receiving party can show that it was public, that it was lawfully known before, or that it was developed without use of the other party’s information.",
    ),
    subClause(
      "A party that is required by law or by a court to disclose information tells the other before it does so, as far as it may.",
    ),
  ];
}

function workResults(): Paragraph[] {
  return [
    clause("Work results"),
    subClause(
      "The customer owns the results of the services once it has paid for them. Until then it may use them for the purpose of this agreement.",
    ),
    subClause(
      "Tools, libraries and methods that the supplier brought along remain its own. The customer receives a perpetual, worldwide and non-exclusive licence to use them as a part of the results.",
    ),
    subClause(
      "The supplier warrants that the results are free of rights of others which would hinder their use, and that open-source components are listed with their licences on delivery.",
    ),
    subClause(
      "The customer inspects each deliverable within fifteen working days. A deliverable that is neither accepted nor rejected in that time, with reasons, counts as accepted.",
    ),
  ];
}

function liability(): Paragraph[] {
  return [
    clause("Liability"),
    subClause(
      "Nothing in this agreement limits liability for intent, gross negligence, injury to life, body or health, or where the law does not permit a limit.",
    ),
    blockTag("{{if liability.cap isPresent}}"),
    subClause([
      "In all other cases the liability of each party is limited to ",
      torn("{{liability.cap}}", { runs: 4, first: { bold: true, color: BRASS } }),
      " for each year of the agreement.",
    ]),
    blockTag("{{else}}"),
    subClause(
      "In all other cases the liability of each party is limited to the foreseeable damage that is typical of agreements of this kind.",
    ),
    blockTag(torn("{{endif}}", { runs: 4 })),
    subClause(
      "Neither party is liable for a delay that is caused by events beyond its reasonable control, as long as it tells the other without delay and does what it can to limit the consequences.",
    ),
  ];
}

function dataProtection(): Paragraph[] {
  return [
    clause("Data protection"),
    blockTag("{{if data.personal}}"),
    subClause(
      "The supplier processes personal data on the customer’s behalf and on its documented instructions only. The parties sign a data processing agreement before any such data is handed over.",
    ),
    subClause([
      "The data is stored in ",
      torn("{{data.location}}", { runs: 5, noise: "page-break" }),
      ". The supplier reports a breach of security within 24 hours of becoming aware of it.",
    ]),
    blockTag("{{else}}"),
    subClause(
      "The services do not involve personal data of the customer’s clients. Should this change, the parties agree on the terms in {{data.location}} first.",
    ),
    blockTag("{{endif}}"),
    subClause(
      "At the end of the agreement the supplier returns or deletes all data of the customer, and confirms in writing that it has done so.",
    ),
  ];
}

function general(): Paragraph[] {
  return [
    clause("General"),
    subClause([
      "This agreement is governed by the law of ",
      torn("{{contract.law}}", { runs: 3 }),
      ". The courts of {{contract.courts}} have exclusive jurisdiction.",
    ]),
    subClause(
      "Changes to this agreement, including to this clause, have to be made in writing. A signature in electronic form is enough.",
    ),
    subClause(
      "Should a provision be or become void, the others remain in force. The parties replace it by one that comes closest to what they had intended.",
    ),
    subClause(
      "Neither party may assign this agreement without the consent of the other, which is not to be withheld without good reason.",
    ),
    subClause(
      "Notices are sent to the addresses at the head of this agreement, to the attention of the persons who have signed it.",
    ),
  ];
}
