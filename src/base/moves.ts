/** What one trigger moves: from which states to which. A state that is not in it is not moved. */
export type Move<State extends string> = Readonly<Partial<Record<State, State>>>;

/** The state after the move, or null when it does not begin in `from`. */
export function stateAfter<State extends string>(move: Move<State>, from: State): State | null {
  return move[from] ?? null;
}

/** The states that the move begins in. */
export function statesBefore<State extends string>(move: Move<State>): State[] {
  return Object.keys(move) as State[];
}

/** SQL: is the column in a state that the move begins in? */
export function sqlBefore(column: string, move: Move<string>): string {
  return `${column} in (${statesBefore(move).map(literal).join(', ')})`;
}

/** SQL: the state after the move; one that it does not begin in stays as it is. */
export function sqlAfter(column: string, move: Move<string>): string {
  const moved = statesBefore(move).map((from) => `when ${literal(from)} then ${literal(move[from]!)}`);
  return `case ${column} ${moved.join(' ')} else ${column} end`;
}

const literal = (state: string): string => `'${state.replaceAll("'", "''")}'`;
