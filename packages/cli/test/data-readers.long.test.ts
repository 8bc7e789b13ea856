// The same tests with many more random cases: see `manyRuns`.
import "./data-readers.test.ts";
