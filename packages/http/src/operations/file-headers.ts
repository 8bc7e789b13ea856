import { EXAMPLE } from "../schemas/example-values.ts";

/** Of uploads. */
export const sha1Header = {
  "content-md5": {
    description:
      "In spite of its name the SHA-1 of the file, in hex. When the bytes have another one, it is a 400.",
    pattern: "^[0-9A-Fa-f]{40}$",
    example: EXAMPLE.sha1,
  },
};

/** Of what changes a file. */
export const ifMatch = {
  "if-match": {
    description: "The `etag` that the file must have; otherwise it is a 412.",
    example: "1-mi6f0l2w",
  },
};
