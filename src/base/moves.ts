/** The move of one trigger: from states to states. States that are not in it stay. */
export type Move<State extends string> = Readonly<Partial<Record<State, State>>>;

/** The state after the move; null: it does not apply to `from`. */
export function stateAfter<State extends string>(move: Move<State>, from: State): State | null {
  return move[from] ?? null;
}

/** The states that the move applies to. */
export function statesBefore<State extends string>(move: Move<State>): State[] {
  return Object.keys(move) as State[];
}

/** SQL: whether the move applies to the column's state. */
export function sqlBefore(column: string, move: Move<string>): string {
  return `${column} in (${statesBefore(move).map(literal).join(', ')})`;
}

/** SQL: the state after the move; other states stay. */
export function sqlAfter(column: string, move: Move<string>): string {
  const moved = statesBefore(move).map((from) => `when ${literal(from)} then ${literal(move[from]!)}`);
  return `case ${column} ${moved.join(' ')} else ${column} end`;
}

const literal = (state: string): string => `'${state.replaceAll("'", "''")}'`;
