/**
 * `npm run check-commits [-- BASE]` checks the commits since BASE against the rules of CONTRIBUTING.md. By default,
 * BASE is the last commit before these rules. CI runs it with the whole history.
 */
import { spawnSync } from "node:child_process";

/** The last commit before the rules. */
const BEFORE_RULES = "b21c537c71d4f3dcfe6d8f2e34c8ab56b45442ea";
const SUBJECT_LENGTH = 72;
const CHANGED_LINES = 1000;

const base = process.argv[2] ?? BEFORE_RULES;
const commits = git("rev-list", "--no-merges", `${base}..HEAD`).split("\n").filter(Boolean);
const problems = commits.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
console.log(`${commits.length} commits since ${base.slice(0, 7)}, ${problems.length} problems.`);
if (problems.length > 0) process.exitCode = 1;

function problemsOf(commit: string): string[] {
  const [subject = "", ...body] = git("log", "-1", "--format=%B", commit).trim().split("\n");
  const { lines, moves } = changeOf(commit);
  const problems: string[] = [];
  if (subject.length > SUBJECT_LENGTH) {
    problems.push(`its subject has ${subject.length} characters. Use at most ${SUBJECT_LENGTH}.`);
  }
  if (body.join("").trim() === "") problems.push("it has no body. Give the reason there.");
  if (lines >= CHANGED_LINES && !moves) {
    problems.push(`it changes ${lines} lines. Split it, one concern in each commit.`);
  }
  return problems.map((problem) => `${commit.slice(0, 7)} ${JSON.stringify(subject)}: ${problem}`);
}

/** Returns the number of changed lines in files that are written by hand, and whether the commit moves files. */
function changeOf(commit: string): { readonly lines: number; readonly moves: boolean } {
  const changes = git("show", "--format=", "--numstat", "-M", commit).split("\n").filter(Boolean);
  let lines = 0;
  let moves = false;
  for (const change of changes) {
    const [added, removed, path = ""] = change.split("\t");
    if (path.includes(" => ")) moves = true;
    if (added === "-" || path.endsWith("package-lock.json")) continue;
    lines += Number(added) + Number(removed);
  }
  return { lines, moves };
}

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout;
}
