# The service in a container. It runs the TypeScript sources as they are: nothing is compiled.

# Of a release by digest, which a tag can leave: CONTRIBUTING.md.
ARG NODE_IMAGE=node:26-slim

FROM ${NODE_IMAGE} AS deps
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install script, and ours prepares for a start from a checkout.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
# NODE_OPTIONS and MALLOC_ARENA_MAX keep memory near 200 MiB at full load: bench/README.md.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    WORKER_PORT=3002 \
    NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=1024" \
    MALLOC_ARENA_MAX=2 \
    DATA_DIR=/data
# Only the embedded database writes there; with DATABASE_URL the container writes nothing.
RUN mkdir /data && chown node:node /data
COPY --from=deps /app/node_modules ./node_modules
COPY package.json ./
COPY migrations ./migrations
COPY openapi ./openapi
COPY docs ./docs
# These are pages at /docs too.
COPY sdk/README.md ./sdk/
COPY sdk/released ./sdk/released
COPY sdk-python/README.md ./sdk-python/
COPY examples/partner-app/README.md ./examples/partner-app/
COPY examples/riyadh ./examples/riyadh
COPY bin ./bin
COPY console ./console
COPY src ./src
# docker build --build-arg COMMIT=$(git rev-parse HEAD): what --version shows.
ARG COMMIT=
RUN if [ -n "$COMMIT" ]; then echo "$COMMIT" > commit; fi
USER node
# 3000: partners; 3002: probes of a process that is only a worker. OPERATOR_PORT has no default.
EXPOSE 3000 3002
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["node", "bin/healthcheck.js"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
