import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

/** Scalar's placeholder in an empty field for a key: a joke, in base64. */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/**
 * Scalar's bundle for browsers. Its package for Fastify has it as text, which only a route returns. So that route is
 * called, in a separate application that does not listen. The package @scalar/api-reference has it as a file, but is
 * very large.
 */
export async function readScalar(): Promise<string> {
  const app = fastify();
  try {
    await app.register(scalar, { routePrefix: '/reference', configuration: { url: '/openapi.json' } });
    const { statusCode, payload } = await app.inject('/reference/js/scalar.js');
    if (statusCode !== 200) throw new Error(`Scalar's script was answered with ${statusCode}`);
    return payload.replaceAll(PLACEHOLDER, 'YOUR_KEY');
  } finally {
    await app.close();
  }
}
