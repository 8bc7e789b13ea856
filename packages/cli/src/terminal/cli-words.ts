/** Phrases of the library's messages that name its options, with the words for users of the command line. */
const PHRASES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    /Compile the template with the delimiters \{ and \} \("auto"\), or /,
    "Use --delimiters auto, or ",
  ],
  [/Set the option 'delimiters' when you compile the template\./, "Use --delimiters START,END."],
  [/,? (?:or )?add its folder to the option fontFolders/, ""],
  [/, or raise the limit 'steps' \(documentSteps of renderPool\(\)\)/, ""],
  [/, or raise [\w ]+ of renderPool\(\)/, ""],
  [/, deadlineMs in a program/, ""],
  [/, or leastLayers in a program/, ""],
  [/, use more lanes, or raise max\w+/, ", or use a higher --concurrency"],
  [
    / If it is installed, pass its path as sofficePath\./,
    " If it is installed, name it with --soffice.",
  ],
  [/, or pass another folder as tempDir/, ", or set TMPDIR to another folder"],
  [/, or choose a storage root where that user has it/, ", or name another folder"],
  [/, or use another storage root/, ", or choose a folder on a different disk"],
  [/the storage's root/g, "the output folder"],
  [/, or set on_conflict to "rename"/, ", or use --on-conflict rename"],
  [
    /Check the access key, the secret key and the region of s3Storage or its client/,
    "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION",
  ],
  [
    /Pass credentials to s3Storage, or configure the AWS SDK through environment variables, a profile or a role/,
    "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or use a role",
  ],
  [
    /check the bucket, the region and the endpoint that you pass to s3Storage/,
    "check its name, AWS_REGION and AWS_ENDPOINT_URL",
  ],
  [
    /Pass the region of the bucket to s3Storage(?:, or set AWS_REGION)?/,
    "Set AWS_REGION to the region of the bucket",
  ],
  [/Check the endpoint, the region/, "Check AWS_ENDPOINT_URL, AWS_REGION"],
  [/Check the endpoint: it/, "Check AWS_ENDPOINT_URL: the server"],
  [/, or pass a longer requestTimeoutMs to s3Storage/, ""],
  [/^Invalid PDF options: (.+)$/s, "Invalid options for PDFs: $1"],
  [/\bmetadata\.date\b/, "--date"],
  [/^(Invalid options for PDFs:) pages\b/, "$1 --pages"],
  [
    /\bpermissions need a permissionPassword/,
    "--allow-… need --permission-password-file or --permission-password-env",
  ],
  [/Choose a smaller range for the PDF option pages/, "Choose other pages with --pages"],
];

/** Rewords a message of the library for users of the command line. */
export function cliWords(message: string): string {
  return PHRASES.reduce((text, [pattern, words]) => text.replace(pattern, words), message);
}
