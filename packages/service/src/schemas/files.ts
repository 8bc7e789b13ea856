import {
  EXAMPLE,
  fileVersionReference,
  folderReferenceInput,
  id,
  instant,
  userReference,
} from "@quire/http/parts";
import { z } from "zod";

/** The maximum length of a name in UTF-8 bytes. It also limits the number of characters. */
const MAX_NAME = 255;
const ABOUT_NAMES =
  'One path segment of at most 255 bytes of UTF-8, without control characters and `<>:"|?*\\/`. Unique within its folder, ignoring case.';

const fileName = z.string().meta({
  description: "The name, unique within its folder, ignoring case.",
  minLength: 1,
  maxLength: MAX_NAME,
  examples: ["invoice.docx"],
});
const folderName = z.string().meta({
  description: "The name, unique within its folder, ignoring case.",
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
  .meta({ description: "The size in bytes.", examples: [18_204] });
const sha1 = z
  .string()
  .optional()
  .meta({
    description: "The SHA-1 of the content, in hex, if known.",
    pattern: "^[0-9a-f]{40}$",
    examples: [EXAMPLE.sha1],
  });
const count = z.int().min(0);
const fileId = id.meta({ description: "The id. It never changes.", examples: [EXAMPLE.template] });

const parent = z
  .object({
    type: z.literal("folder").describe("Always `folder`."),
    id: id.meta({ description: "The id; `0` is the root.", examples: [EXAMPLE.folder] }),
    name: folderName,
  })
  .meta({ id: "FolderMini", description: "The parent folder." });

const version = z
  .object({
    type: z.literal("file_version").describe("Always `file_version`."),
    id: id.meta({ description: "The id.", examples: [EXAMPLE.templateVersion] }),
    sha1,
    size,
    created_at: instant.describe("When it was uploaded or generated."),
  })
  .meta({ id: "FileVersion", description: "A version of a file. Versions never change." });

export const file = z
  .object({
    type: z.literal("file").describe("Always `file`."),
    id: fileId,
    name: fileName,
    etag: z.string().meta({
      description: "Changes with each new version and each rename. Send it in `if-match`.",
      examples: ["1-mi6f0l2w"],
    }),
    sha1,
    size,
    parent,
    file_version: fileVersionReference.describe("The current version."),
    created_at: instant.describe("When the file was created."),
    modified_at: instant.describe("When the file was last changed."),
    created_by: userReference
      .nullable()
      .describe("Who created the file; null if it was added to the storage without the service."),
  })
  .meta({ id: "File", description: "A file." });

export const folder = z
  .object({
    type: z.literal("folder").describe("Always `folder`."),
    id: id.meta({ description: "The id; `0` is the root.", examples: [EXAMPLE.folder] }),
    name: folderName,
    parent: parent.nullable().meta({
      description: "The parent folder; null for the root folder.",
      examples: [{ type: "folder", id: "0", name: "All Files" }],
    }),
    created_at: instant.describe("When the folder was created."),
    created_by: userReference
      .nullable()
      .describe("Who created the folder; null if it was added to the storage without the service."),
  })
  .meta({ id: "Folder", description: "A folder." });

export const files = z
  .object({
    total_count: count.meta({ description: "Always 1.", examples: [1] }),
    entries: z.array(file).meta({ description: "The file.", minItems: 1, maxItems: 1 }),
  })
  .meta({ id: "Files", description: "The file that was uploaded." });

export const fileVersions = z
  .object({
    total_count: count.meta({ description: "The number of versions.", examples: [1] }),
    entries: z.array(version).describe("All versions."),
    limit: count.meta({ description: "The number of versions.", examples: [1] }),
    offset: count.meta({ description: "Always 0.", examples: [0] }),
  })
  .meta({ id: "FileVersions", description: "The versions of a file, newest first." });

export const items = z
  .object({
    total_count: count.meta({ description: "The number of items in the folder.", examples: [1] }),
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
      .meta({ description: "The entries of the page, in order.", maxItems: 1000 }),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .meta({ description: "The limit that was applied.", examples: [100] }),
    offset: count.optional().meta({
      description: "The number of skipped entries. Missing with `usemarker`.",
      examples: [0],
    }),
    next_marker: z.string().nullable().optional().meta({
      description: "With `usemarker`: the marker of the next page; null on the last page.",
    }),
    prev_marker: z.null().optional().meta({
      description: "With `usemarker`: always null, since backward paging is not supported.",
    }),
  })
  .meta({
    id: "Items",
    description: "The items of a folder: first folders, then files, each sorted by name.",
  });

export const folderRequest = z
  .object({
    name: newFolderName,
    parent: folderReferenceInput.meta({
      description: "The parent folder; `0` is the root.",
      examples: [{ id: "0" }],
    }),
  })
  .meta({ id: "FolderCreateRequest", description: "A folder to create." });

export const fileUpdate = z
  .object({
    name: newFileName.optional(),
    parent: folderReferenceInput
      .optional()
      .describe("Must be the current folder: files cannot be moved."),
  })
  .meta({
    id: "FileUpdateRequest",
    description: "Changes to a file. Omitted fields remain unchanged.",
    examples: [{ name: "invoice-2026.docx" }],
  });

/** The part `attributes` of an upload. */
export const uploadAttributes = z
  .object({
    name: newFileName,
    parent: folderReferenceInput.describe("The folder for the file; `0` is the root."),
  })
  .meta({
    id: "UploadAttributes",
    description: "The name and the folder of an uploaded file.",
    examples: [{ name: "invoice.docx", parent: { id: "0" } }],
  });

/** The part `attributes` of the upload of a version. It may contain a new name. */
export const versionAttributes = z.object({ name: newFileName.optional() }).meta({
  id: "VersionAttributes",
  description: "Optionally a new name for the file.",
  examples: [{ name: "invoice.docx" }],
});

export const preflightRequest = z
  .object({
    name: newFileName.optional(),
    parent: folderReferenceInput.optional().describe("The folder for the file. Default: the root."),
    size: size.optional().describe("The size in bytes."),
  })
  .meta({
    id: "PreflightRequest",
    description: "A planned upload.",
    examples: [{ name: "invoice.docx", parent: { id: "0" }, size: 18_204 }],
  });
export const uploadUrl = z
  .object({
    upload_url: z.url().meta({
      description: "The address for the upload.",
      examples: ["https://quire.example.com/2.0/files/content"],
    }),
    upload_token: z.string().meta({
      description: "Always `none`: use the access token.",
      examples: ["none"],
    }),
  })
  .meta({ id: "UploadUrl", description: "The address for an upload." });

export const offsetQuery = {
  limit: z
    .string()
    .regex(/^0*[1-9]\d*$/)
    .optional()
    .meta({
      description: "The maximum number of entries. Values above 1000 count as 1000.",
      documented: { type: "integer", format: "int64", minimum: 1, default: 100, examples: [100] },
    }),
  offset: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional()
    .meta({
      description: "The number of entries to skip.",
      documented: {
        type: "integer",
        format: "int32",
        minimum: 0,
        maximum: 999_999_999,
        default: 0,
        examples: [0],
      },
    }),
};
