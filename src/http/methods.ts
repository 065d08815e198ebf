/** Whether requests of the method are read-only. `HEAD` is `GET` without the body. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
