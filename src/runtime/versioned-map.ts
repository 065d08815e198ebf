/** Values as of one version of what they were made from. */
export type VersionedMap<Value> = {
  /** The version that all values are as of; null: there are none. */
  version(): number | null;
  /** undefined: not known. Who uses it confirms that the version still is the one. */
  get(key: string): Value | undefined;
  /** A value of a newer version drops all of the one before; one of an older version is not kept. */
  set(version: number, key: string, value: Value): void;
  /** Forgets all, and which version they were of: it is there no more. */
  clear(): void;
};

/** Keeps at most so many values; the one that was used longest ago goes. */
export function createVersionedMap<Value>(maxSize: number): VersionedMap<Value> {
  // A Map keeps the order of insertion.
  const values = new Map<string, Value>();
  let asOf: number | null = null;
  return {
    version: () => asOf,
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(version, key, value) {
      if (asOf !== null && version < asOf) return;
      if (version !== asOf) values.clear();
      asOf = version;
      values.delete(key);
      if (values.size >= maxSize) values.delete(values.keys().next().value!);
      values.set(key, value);
    },
    clear() {
      values.clear();
      asOf = null;
    },
  };
}
