/** The process cannot listen on HOST and the port; the message says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  constructor(cause: Error & { code?: string; port?: number }) {
    super(explain(cause), { cause });
  }
}

function explain({ code, port, message }: Error & { code?: string; port?: number }): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: stop what uses it, or set PORT (or OPERATOR_PORT, WORKER_PORT)`;
    case 'EACCES':
      return `port ${port} may not be opened by this user: set PORT`;
    case 'EADDRNOTAVAIL':
      return 'HOST is not an address of this machine';
    default:
      return `HOST is no address that can be listened on: ${message}`;
  }
}
