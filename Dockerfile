# The service in a container. It runs the TypeScript sources as they are: nothing is compiled.

FROM node:26-slim AS deps
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:26-slim
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
# Only the embedded database writes there; with DATABASE_URL the container writes nothing.
RUN mkdir /data && chown node:node /data
COPY --from=deps /app/node_modules ./node_modules
COPY package.json ./
COPY migrations ./migrations
COPY openapi.json openapi.operator.json ./
COPY docs ./docs
COPY src ./src
USER node
EXPOSE 3000
# Alive, not ready: a database that is away is no reason to restart. A process with ROLES=worker alone has no
# listener; switch the check off for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
