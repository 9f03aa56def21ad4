# syntax=docker/dockerfile:1
# The one-machine server. See docs/deploy.md. For the same image each time, name node:24-slim by its digest.

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has a Node of its own.
RUN npm ci --omit=dev --loglevel=error && rm -rf node_modules/node

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production \
	NODE_COMPILE_CACHE=/app/node_modules/.cache/compiled \
	NODE_OPTIONS=--import=/app/src/cli/find-modules.mjs \
	HOST=0.0.0.0 \
	PORT=8888 \
	DATABASE_URL=file:/data/site.db \
	LOG_FORMAT=json
COPY --from=packages /app/node_modules node_modules
COPY . .
# All else belongs to root: the server cannot change its own code.
RUN mkdir -p /data .site .astro node_modules/.cache && chown node:node /data .site .astro node_modules/.cache
# `groundtruth backup` and the like.
RUN ln -s /app/docs/deploy/groundtruth /usr/local/bin/groundtruth
USER node
# The database, its secret, mailbox and downloads; builds and their caches, which can be made again.
VOLUME ["/data", "/app/.site"]
EXPOSE 8888
# The first start builds the whole site.
HEALTHCHECK --interval=10s --timeout=5s --start-period=5m --retries=3 \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--expose-gc", "src/cli/main.ts"]
