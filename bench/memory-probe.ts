/** Loaded into a service that is measured (`--import`): tells what its process holds when asked. */
process.on('message', (message) => {
  if (message === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ ...process.memoryUsage(), cpu: (user + system) / 1000 });
});
// The channel to who asks does not keep the process from ending.
process.channel?.unref();
