const { NODE_COMPILE_CACHE } = process.env;

/** For the environment of programs that tests start: sources that others have compiled, which is half of their start. */
export const compiled: Record<string, string> =
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
