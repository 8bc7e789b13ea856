import { z } from "zod";

const flag = z.boolean().optional();
const text = z.string().min(1).optional();

/** How PDFs are to be. An option that is not known is refused. */
export const pdfOptions = z
  .strictObject({
    pdf_a: z
      .enum(["1b", "2b", "3b"])
      .optional()
      .describe("For archives: the part of PDF/A, with its conformance level."),
    pdf_ua: flag.describe("Accessible: PDF/UA, tagged as well."),
    tagged: flag.describe("With the structure of the document, for screen readers."),
    bookmarks: flag.describe("With the headings as bookmarks."),
    image_quality: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "Of pictures as JPEG.", default: 90 }),
    lossless_images: flag.describe(
      "Pictures are compressed without loss, whatever `image_quality` says.",
    ),
    image_dpi: z
      .int()
      .min(36)
      .max(2400)
      .optional()
      .meta({ description: "In dots per inch: finer pictures are made coarser.", default: 300 }),
    pages: text.meta({
      description: "Which pages, for example `1-3,7`.",
      examples: ["1-3,7"],
    }),
    open_password: text.describe("Asked for whenever the PDF is opened."),
    permission_password: text.describe("Changing what `permissions` forbid needs it."),
    permissions: z
      .strictObject({
        printing: z.enum(["none", "low", "high"]).optional().describe("How it may be printed."),
        changes: z
          .enum(["none", "pages", "forms", "comments", "all"])
          .optional()
          .describe("What of it may be changed."),
        copying: flag.describe("Whether it may be copied from."),
        accessibility: flag.describe("Whether it may be read out."),
      })
      .meta({
        id: "PdfPermissions",
        description:
          "What may be done without the `permission_password`, which is needed. What is left out is forbidden.",
      })
      .optional(),
    watermark: text.describe("A pale text across every page."),
    initial_view: z
      .strictObject({
        page: z.int().min(1).max(1_000_000).optional().describe("The page that is shown first."),
        zoom: z
          .union([z.literal("page"), z.literal("width"), z.int().min(10).max(1600)])
          .optional()
          .describe("To a page, to its width, or in percent."),
        layout: z.enum(["single", "continuous", "facing"]).optional().describe("How pages stand."),
        panel: z
          .enum(["none", "bookmarks", "thumbnails"])
          .optional()
          .describe("What is shown beside the pages."),
        full_screen: flag.describe("Whether it fills the screen."),
        show_title: flag.describe("Whether the window has its title in place of its file name."),
      })
      .meta({ id: "PdfInitialView", description: "How a PDF is shown when it is opened." })
      .optional(),
    update_indexes: flag.describe("Tables of contents and the like are made anew."),
    metadata: z
      .strictObject({
        title: text.describe("What it is called."),
        author: text.describe("Who wrote it."),
        subject: text.describe("What it is about."),
        keywords: text.describe("Under what it is found."),
        date: text.describe(
          "When it was made, as an ISO 8601 instant. Default: the same for all, so that equal requests give equal bytes.",
        ),
      })
      .meta({
        id: "PdfMetadata",
        description: "What a PDF says of itself. What is left out comes from the template.",
      })
      .optional(),
  })
  .meta({
    id: "PdfOptions",
    description: "How PDFs are to be. An option that is not known is refused.",
    examples: [{ pdf_a: "2b", bookmarks: true }],
  });
