// The Japanese and the Hebrew editions of the invoice, each with a seller in its country. All names are invented.

import type { Edition } from "./invoice-abroad.ts";

export const JAPANESE: Edition = {
  look: {
    font: "Calibri",
    eastAsianFont: "IPAexGothic",
    language: { value: "ja-JP", eastAsia: "ja-JP" },
  },
  rightToLeft: false,
  currency: "JPY",
  date: "yyyy年M月d日",
  title: "請求書",
  customer: "請求先",
  address: ["{{customer.name}} 御中", "{{customer.city}}", "{{customer.street}}"],
  seller: {
    name: "山田文具株式会社",
    lines: [
      "〒101-0051 東京都千代田区神田神保町 2-14-5",
      "電話 03-0000-0000",
      "登録番号 T0000000000000",
    ],
  },
  facts: { number: "請求番号", issued: "発行日", due: "お支払期限" },
  columns: ["品名", "数量", "単価", "税率", "金額"],
  mark: "{{if item.taxRate < 0.1}} ※{{endif}}",
  net: "小計(税抜)",
  tax: '消費税 {{tax.rate :: percent}}(対象 {{tax.net :: currency("JPY")}})',
  total: "ご請求金額(税込)",
  notes: ["※ は軽減税率の対象です。消費税は税率ごとに一円未満を切り捨てています。"],
  payment: {
    title: "お振込先",
    lines: [
      "すずらん銀行 神保町支店 普通 0000000 ヤマダブング(カ",
      '{{invoice.due :: format("yyyy年M月d日")}}までにお振込みください。振込手数料はお客様のご負担でお願いいたします。',
    ],
  },
};

export const HEBREW: Edition = {
  look: { font: "Arial", language: { value: "en-US", bidirectional: "he-IL" } },
  rightToLeft: true,
  currency: "ILS",
  date: "d 'ב'MMMM yyyy",
  title: "חשבונית מס",
  customer: "לכבוד",
  address: ["{{customer.name}}", "{{customer.street}}", "{{customer.city}}"],
  seller: {
    name: "חנות הנייר של מרים",
    lines: ["רחוב דיזנגוף 99, תל אביב 6439602", "טלפון 03-0000000", "עוסק מורשה 000000000"],
  },
  facts: { number: "חשבונית מס׳", issued: "תאריך", due: "לתשלום עד" },
  columns: ["תיאור", "כמות", "מחיר יחידה", "מע״מ", "סכום"],
  net: "סה״כ לפני מע״מ",
  tax: 'מע״מ {{tax.rate :: percent}} על {{tax.net :: currency("ILS")}}',
  total: "סה״כ לתשלום",
  notes: ["המחירים בשקלים חדשים. ט.ל.ח."],
  payment: {
    title: "פרטי תשלום",
    lines: [
      "נא להעביר את הסכום עד {{invoice.due :: format(\"d 'ב'MMMM yyyy\")}}, בציון מספר החשבונית {{invoice.number}}.",
      "בנק הכרמל, סניף 001, חשבון 00-0000000",
    ],
  },
};
