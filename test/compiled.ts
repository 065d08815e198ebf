const { NODE_COMPILE_CACHE } = process.env;

/**
 * Environment of programs that tests start: a shared cache of compiled sources, which halves their start. It is of one set
 * of V8's options: all are started with `--liftoff-only`.
 */
export const compiled: Record<string, string> =
  NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
