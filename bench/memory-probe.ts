/** Imported into a measured service (`--import`): reports its memory on request. */
process.on('message', (message) => {
  if (message === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ ...process.memoryUsage(), cpu: (user + system) / 1000 });
});
// The channel must not keep the process alive.
process.channel?.unref();
