# Daybook on a machine of one's own: `docker build -t daybook .`, then as OPERATIONS.md says. workerd needs glibc.
FROM node:24-bookworm-slim

WORKDIR /daybook
# fetch() of the runtime checks certificates: mail servers and services have some.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*

COPY package.json package-lock.json ./
RUN npm ci && npm cache clean --force
COPY . .
RUN npm run build && mkdir /data && chown -R node:node /daybook /data

USER node
ENV HOST=0.0.0.0 PORT=8787 DATA_DIR=/data SEED=off LOG=on WRANGLER_SEND_METRICS=false
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=60s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, signals arrive.
CMD ["node", "--import", "tsx", "app/local/start.ts"]
