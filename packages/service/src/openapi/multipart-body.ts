import { BYTES, type Components, type Json, type UploadDoc } from "@quire/http/parts";
import type { z } from "zod";

/** Returns an upload in `multipart/form-data`: JSON that matches `attributes`, then a file. */
export function multipartBody(attributes: z.ZodType): UploadDoc {
  return { attributes, describe: (components) => describe(attributes, components) };
}

function describe(attributes: z.ZodType, components: Components): Json {
  const schema = components.of(attributes, "input");
  return {
    required: true,
    description: "The part `attributes` must come before the part `file`.",
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: ["attributes", "file"],
          properties: {
            attributes: schema,
            file: { ...BYTES, description: "The content of the file." },
          },
        },
        encoding: {
          attributes: { contentType: "application/json" },
          file: { contentType: "application/octet-stream" },
        },
        example: { attributes: components.exampleOf(schema, "input"), file: "…" },
      },
    },
  };
}
