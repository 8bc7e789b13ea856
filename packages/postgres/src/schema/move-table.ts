/** The table of the move from stores of another kind into this schema. */
export const MOVE_TABLE = `
  -- No service starts while a move is unfinished.
  CREATE TABLE quire.move (
    id text COLLATE "C" PRIMARY KEY,
    source text NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    progress text NOT NULL DEFAULT '{}', -- JSON: the last row of each table that was moved
    finished_at timestamptz
  );
  -- Two moves would mix their rows.
  CREATE UNIQUE INDEX one_move ON quire.move ((true));
`;
