import { type ApiError, errorAnchor } from '../base/errors.ts';

/** The error envelope of section 7; `details.docUrl` explains the code. */
export function errorEnvelope({ code, message, details }: ApiError, requestId: string, docsUrl: string) {
  const docUrl = `${docsUrl}/errors#${errorAnchor(code)}`;
  return { success: false as const, error: { code, message, details: { ...details, docUrl }, requestId } };
}
