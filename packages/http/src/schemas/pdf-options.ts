import { z } from "zod";

const flag = z.boolean().optional();
const text = z.string().min(1).optional();

/** Options for PDF output. Unknown options are rejected. */
export const pdfOptions = z
  .strictObject({
    pdf_a: z
      .enum(["1b", "2b", "3b"])
      .optional()
      .describe("PDF/A for archives: the part and the conformance level."),
    pdf_ua: flag.describe("PDF/UA for accessibility. Implies `tagged`."),
    tagged: flag.describe("Include the structure of the document, for screen readers."),
    bookmarks: flag.describe("Turn headings into bookmarks."),
    image_quality: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: "The JPEG quality of pictures.", default: 90 }),
    lossless_images: flag.describe("Compress pictures losslessly. Overrides `image_quality`."),
    image_dpi: z.int().min(36).max(2400).optional().meta({
      description:
        "The maximum resolution of pictures in dots per inch. Pictures with a higher resolution are downsampled.",
      default: 300,
    }),
    pages: text.meta({
      description: "The pages to include, for example `1-3,7`.",
      examples: ["1-3,7"],
    }),
    open_password: text.describe("The password for opening the PDF."),
    permission_password: text.describe(
      "The password that lifts the restrictions of `permissions`.",
    ),
    permissions: z
      .strictObject({
        printing: z.enum(["none", "low", "high"]).optional().describe("The allowed print quality."),
        changes: z
          .enum(["none", "pages", "forms", "comments", "all"])
          .optional()
          .describe("The allowed changes."),
        copying: flag.describe("Whether content may be copied."),
        accessibility: flag.describe("Whether screen readers may access the content."),
      })
      .meta({
        id: "PdfPermissions",
        description:
          "The permissions of readers without the `permission_password`, which is required. Omitted permissions are denied.",
      })
      .optional(),
    watermark: text.describe("A pale text across each page."),
    initial_view: z
      .strictObject({
        page: z.int().min(1).max(1_000_000).optional().describe("The first page to show."),
        zoom: z
          .union([z.literal("page"), z.literal("width"), z.int().min(10).max(1600)])
          .optional()
          .describe("The zoom: whole page, page width, or a percentage."),
        layout: z.enum(["single", "continuous", "facing"]).optional().describe("The page layout."),
        panel: z.enum(["none", "bookmarks", "thumbnails"]).optional().describe("The side panel."),
        full_screen: flag.describe("Whether to open in full screen."),
        show_title: flag.describe("Whether the window shows the title instead of the file name."),
      })
      .meta({ id: "PdfInitialView", description: "How viewers open the PDF." })
      .optional(),
    update_indexes: flag.describe("Update tables of contents and other indexes."),
    metadata: z
      .strictObject({
        title: text.describe("The title."),
        author: text.describe("The author."),
        subject: text.describe("The subject."),
        keywords: text.describe("Keywords for searches."),
        date: text.describe(
          "The creation date as an ISO 8601 instant. Default: a fixed date, so that equal requests give equal bytes.",
        ),
      })
      .meta({
        id: "PdfMetadata",
        description: "The metadata of the PDF. Omitted fields are taken from the template.",
      })
      .optional(),
  })
  .meta({
    id: "PdfOptions",
    description: "Options for PDF output. Unknown options are rejected.",
    examples: [{ pdf_a: "2b", bookmarks: true }],
  });
