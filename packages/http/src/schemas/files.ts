import { z } from "zod";
import {
  fileVersionReference,
  folderReferenceInput,
  id,
  instant,
  userReference,
} from "./common.ts";
import { EXAMPLE } from "./example-values.ts";

/** The longest name, in bytes of UTF-8: so it has no more characters either. */
const MAX_NAME = 255;
const ABOUT_NAMES =
  'One path segment of at most 255 bytes of UTF-8, without control characters and `<>:"|?*\\/`. Unique within its folder, whatever the case.';

const fileName = z.string().meta({
  description: "Unique within its folder, whatever the case.",
  minLength: 1,
  maxLength: MAX_NAME,
  examples: ["invoice.docx"],
});
const folderName = z.string().meta({
  description: "Unique within its folder, whatever the case.",
  minLength: 1,
  maxLength: MAX_NAME,
  examples: ["letters"],
});
const newFileName = z.string().meta({
  description: ABOUT_NAMES,
  minLength: 1,
  maxLength: MAX_NAME,
  examples: ["invoice.docx"],
});
const newFolderName = z.string().meta({
  description: ABOUT_NAMES,
  minLength: 1,
  maxLength: MAX_NAME,
  examples: ["letters"],
});
const size = z
  .int()
  .min(0)
  .meta({ description: "In bytes.", examples: [18_204] });
const sha1 = z
  .string()
  .optional()
  .meta({
    description: "SHA-1 of its bytes in hex, where it is known.",
    pattern: "^[0-9a-f]{40}$",
    examples: [EXAMPLE.sha1],
  });
const count = z.int().min(0);
const fileId = id.meta({ description: "Its id. It stays.", examples: [EXAMPLE.template] });

const parent = z
  .object({
    type: z.literal("folder").describe("Always `folder`."),
    id: id.meta({ description: "Its id; `0` is the root.", examples: [EXAMPLE.folder] }),
    name: folderName,
  })
  .meta({ id: "FolderMini", description: "The folder around it." });

const version = z
  .object({
    type: z.literal("file_version").describe("Always `file_version`."),
    id: id.meta({ description: "Its id.", examples: [EXAMPLE.templateVersion] }),
    sha1,
    size,
    created_at: instant.describe("When it was uploaded or made."),
  })
  .meta({ id: "FileVersion", description: "One version of a file. It never changes." });

export const file = z
  .object({
    type: z.literal("file").describe("Always `file`."),
    id: fileId,
    name: fileName,
    etag: z.string().meta({
      description: "Changes with each version and each name: for `if-match`.",
      examples: ["1-mi6f0l2w"],
    }),
    sha1,
    size,
    parent,
    file_version: fileVersionReference.describe("Its current version."),
    created_at: instant.describe("When it was made."),
    modified_at: instant.describe("When it was changed last."),
    created_by: userReference
      .nullable()
      .describe("Who made it; null for what others have put into the storage."),
  })
  .meta({ id: "File", description: "A file." });

export const folder = z
  .object({
    type: z.literal("folder").describe("Always `folder`."),
    id: id.meta({ description: "Its id; `0` is the root.", examples: [EXAMPLE.folder] }),
    name: folderName,
    parent: parent.nullable().meta({
      description: "The folder around it; null for the root folder, whose id is `0`.",
      examples: [{ type: "folder", id: "0", name: "All Files" }],
    }),
    created_at: instant.describe("When it was made."),
    created_by: userReference
      .nullable()
      .describe("Who made it; null for what others have put into the storage."),
  })
  .meta({ id: "Folder", description: "A folder." });

export const files = z
  .object({
    total_count: count.meta({ description: "How many there are: one.", examples: [1] }),
    entries: z.array(file).meta({ description: "The file.", minItems: 1, maxItems: 1 }),
  })
  .meta({ id: "Files", description: "The file that was uploaded." });

export const fileVersions = z
  .object({
    total_count: count.meta({ description: "How many there are.", examples: [1] }),
    entries: z.array(version).describe("All of them."),
    limit: count.meta({ description: "As many as there are.", examples: [1] }),
    offset: count.meta({ description: "Always 0.", examples: [0] }),
  })
  .meta({ id: "FileVersions", description: "The versions of a file, from the newest on." });

export const items = z
  .object({
    total_count: count.meta({ description: "How many there are in the folder.", examples: [1] }),
    entries: z
      .array(
        z.discriminatedUnion("type", [file, folder]).meta({
          id: "Item",
          description: "A file or a folder.",
          discriminator: {
            propertyName: "type",
            mapping: {
              file: "#/components/schemas/File",
              folder: "#/components/schemas/Folder",
            },
          },
        }),
      )
      .meta({ description: "What is in the page, in its order.", maxItems: 1000 }),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .meta({ description: "The limit that was applied.", examples: [100] }),
    offset: count
      .optional()
      .meta({ description: "How many were left out before; not with `usemarker`.", examples: [0] }),
    next_marker: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Of the next page, with `usemarker`; null at the end." }),
    prev_marker: z
      .null()
      .optional()
      .meta({ description: "With `usemarker` always null: pages are read forwards." }),
  })
  .meta({ id: "Items", description: "What stands in a folder: folders first, each by name." });

export const folderRequest = z
  .object({
    name: newFolderName,
    parent: folderReferenceInput.meta({
      description: "The folder in which it is made; `0` is the root.",
      examples: [{ id: "0" }],
    }),
  })
  .meta({ id: "FolderCreateRequest", description: "A folder to make." });

export const fileUpdate = z
  .object({
    name: newFileName.optional(),
    parent: folderReferenceInput
      .optional()
      .describe("Files cannot be moved: only the folder that it is in is taken."),
  })
  .meta({
    id: "FileUpdateRequest",
    description: "What is to be changed of a file. What is left out stays.",
    examples: [{ name: "invoice-2026.docx" }],
  });

/** The part `attributes` of an upload. */
export const uploadAttributes = z
  .object({
    name: newFileName,
    parent: folderReferenceInput.describe("The folder into which it goes; `0` is the root."),
  })
  .meta({
    id: "UploadAttributes",
    description: "What an uploaded file is called and where it goes.",
    examples: [{ name: "invoice.docx", parent: { id: "0" } }],
  });

/** The part `attributes` of the upload of a version: a new name may be given. */
export const versionAttributes = z.object({ name: newFileName.optional() }).meta({
  id: "VersionAttributes",
  description: "A new name of the file, if it gets one.",
  examples: [{ name: "invoice.docx" }],
});

export const preflightRequest = z
  .object({
    name: newFileName.optional(),
    parent: folderReferenceInput
      .optional()
      .describe("The folder into which it is to go. Default: the root."),
    size: size.optional().describe("How long it is, in bytes."),
  })
  .meta({
    id: "PreflightRequest",
    description: "An upload that is to be asked about.",
    examples: [{ name: "invoice.docx", parent: { id: "0" }, size: 18_204 }],
  });
export const uploadUrl = z
  .object({
    upload_url: z.url().meta({
      description: "Where to upload it.",
      examples: ["https://quire.example.com/2.0/files/content"],
    }),
    upload_token: z.string().meta({
      description: "Always `none`: the access token serves.",
      examples: ["none"],
    }),
  })
  .meta({ id: "UploadUrl", description: "Where the file may be uploaded." });

export const offsetQuery = {
  limit: z
    .string()
    .regex(/^0*[1-9]\d*$/)
    .optional()
    .meta({
      description: "At most so many entries. Above 1000 it counts as 1000.",
      told: { type: "integer", format: "int64", minimum: 1, default: 100, examples: [100] },
    }),
  offset: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional()
    .meta({
      description: "So many entries are left out at the beginning.",
      told: {
        type: "integer",
        format: "int32",
        minimum: 0,
        maximum: 999_999_999,
        default: 0,
        examples: [0],
      },
    }),
};
