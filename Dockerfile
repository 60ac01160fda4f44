# The server in a container: docs/install.md says how it is run.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The scripts of packages are left out: the one that is wanted in a checkout brings the Node.js that this image has.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build-package.ts scripts/
COPY src src
RUN node scripts/build-package.ts

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git ripgrep tini \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node /data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json app.yml LICENSE ./
COPY schema schema
COPY examples examples
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SALLYPORT_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
USER node
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# What a sandbox leaves behind is taken in by the first process, which has to bury it.
ENTRYPOINT ["tini", "--", "node", "/app/dist/cli.js"]
CMD ["serve"]
