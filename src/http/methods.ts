/** Does a request of this method only read? `HEAD` is `GET` without the body. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
