/**
 * Closes everything in the reverse order of opening, also after SIGINT and SIGTERM: no server of a storm stays behind.
 */
export async function withClosers(
  work: (onClose: (closer: () => unknown) => void) => Promise<void>,
): Promise<void> {
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const stop = (): void => void close().finally(() => process.exit(1));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    await work((closer) => closers.push(closer));
  } finally {
    await close();
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
