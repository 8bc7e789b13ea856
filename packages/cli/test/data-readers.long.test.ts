// The laws of the readers with many more cases: `manyRuns` chooses their number.
import "./data-readers.test.ts";
