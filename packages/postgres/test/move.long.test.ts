// The same tests with smaller steps, so with more interruptions: see `manyRuns`.
import "./move.test.ts";
