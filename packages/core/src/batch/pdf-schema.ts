import { z } from "zod";

const flag = z.boolean().optional();
const text = z.string().min(1).optional();

/** Returns a schema for an integer in a range, with a readable error message. */
function whole(from: number, to: number) {
  return z.number().check((context) => {
    const { value } = context;
    if (Number.isInteger(value) && value >= from && value <= to) return;
    const message = `It must be a whole number from ${from} to ${to}, not ${value}.`;
    context.issues.push({ code: "custom", input: value, message });
  });
}

const permissions = z.strictObject({
  printing: z.enum(["none", "low", "high"]).optional(),
  changes: z.enum(["none", "pages", "forms", "comments", "all"]).optional(),
  copying: flag,
  accessibility: flag,
});

const initialView = z.strictObject({
  page: whole(1, 1_000_000).optional(),
  zoom: z.union([z.literal("page"), z.literal("width"), whole(10, 1600)]).optional(),
  layout: z.enum(["single", "continuous", "facing"]).optional(),
  panel: z.enum(["none", "bookmarks", "thumbnails"]).optional(),
  full_screen: flag,
  show_title: flag,
});

const metadata = z.strictObject({
  title: text,
  author: text,
  subject: text,
  keywords: text,
  date: text,
});

/** Schema of `PdfRequestOptions`. Unknown options are errors: a PDF without a requested option would be wrong. */
export const pdfSchema = z.strictObject({
  pdf_a: z.enum(["1b", "2b", "3b"]).optional(),
  pdf_ua: flag,
  tagged: flag,
  bookmarks: flag,
  image_quality: whole(1, 100).optional(),
  lossless_images: flag,
  image_dpi: whole(36, 2400).optional(),
  pages: text,
  open_password: text,
  permission_password: text,
  permissions: permissions.optional(),
  watermark: text,
  initial_view: initialView.optional(),
  update_indexes: flag,
  metadata: metadata.optional(),
});
