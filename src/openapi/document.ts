import type { FastifyContextConfig } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode, ErrorDetails } from '../base/errors.ts';
import type { Components, JsonSchema } from './schemas.ts';

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string;
    summary?: string;
    /** Details for developers beyond the summary; the permission or role is added. */
    description?: string;
    tags?: readonly string[];
    /** Errors beyond those that follow from the interface and from the rest of the schema. */
    errors?: readonly (ErrorCode | (Partial<ErrorExample> & { code: ErrorCode }))[];
    /** Resources of `Booking not found`; a path parameter like `bookingId` implies one. */
    missing?: readonly string[];
    /** Response headers beyond those of every response. */
    responseHeaders?: ResponseHeaders;
    /** The media type of a success that is not JSON. */
    responseType?: string;
    /** The body may be absent. */
    optionalBody?: true;
  }
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string; description: string } & Record<string, unknown>;
  jsonSchemaDialect: string;
  servers: { url: string; description: string; 'x-internal': boolean }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Components;
    responses: Record<string, ResponseObject>;
    headers: Record<string, Parameter>;
    securitySchemes: Record<string, object>;
  };
};

export type Parameter = { name?: string; in?: string; required?: boolean; schema: JsonSchema } & Described;
export type Media = { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type ResponseObject = {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
};
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  deprecated?: true;
  tags: readonly string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, ResponseObject>;
} & Record<`x-${string}`, unknown>;
export type Described = { description?: string };

/** An error in the document: its condition, and an example of message and details. */
export type ErrorExample = { when: string; message: string; details?: ErrorDetails };

/** Response headers: `required`, of every response; `statuses`, of those only. */
export type ResponseHeaders = Record<
  string,
  { schema: TSchema; required?: true; statuses?: readonly number[] }
>;

/** Common properties of all routes of an API. */
export type Interface = {
  /** The prefix of its routes; paths in the document are relative to it. */
  prefix: string;
  head: Pick<OpenApiDocument, 'info' | 'servers' | 'security' | 'tags'>;
  securitySchemes: Record<string, object>;
  /** Codes of the guard, which any route may return. */
  guardErrors: readonly ErrorCode[];
  /** Request headers of every route. */
  requestHeaders: Record<string, TSchema>;
  /** Response headers. */
  responseHeaders: ResponseHeaders;
  /** The required permission or role: a sentence, and an extension for programs. */
  access(config: FastifyContextConfig): { sentence: string; extension: Record<`x-${string}`, string> };
  /** Base address of the documentation in the examples. */
  docsUrl: string;
  errorDetails: TSchema;
  examples: Record<ErrorCode, ErrorExample>;
};
