// The laws of the readers, with many more cases: `manyRuns` knows the level.
import "./data-readers.test.ts";
