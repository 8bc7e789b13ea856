import { EXAMPLE } from "@quire/http/parts";

/** The upload header that contains the SHA-1 of the file. */
export const sha1Header = {
  "content-md5": {
    description:
      "Despite its name, this is the SHA-1 of the file, in hex. If the content does not match, the response is a 400.",
    pattern: "^[0-9A-Fa-f]{40}$",
    example: EXAMPLE.sha1,
  },
};

/** The request header that makes a change conditional on the etag of the file. */
export const ifMatch = {
  "if-match": {
    description: "The `etag` that the file must have. Otherwise the response is a 412.",
    example: "1-mi6f0l2w",
  },
};
