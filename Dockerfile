# syntax=docker/dockerfile:1
# The program and its dependencies: docker build -t aldaba .
FROM node:22-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY bin bin/
COPY sdk/package.json sdk/
COPY test/clients/package.json test/clients/
RUN npm ci --omit=dev

FROM debian:bookworm-slim
# Node needs libatomic, which the image does not have. PDFs print Chinese, Japanese and Korean with the font.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 fonts-droid-fallback && rm -rf /var/lib/apt/lists/* \
  && useradd --system --create-home aldaba && install -d -o aldaba -g aldaba /data
WORKDIR /app
COPY --from=install /app/node_modules node_modules
COPY . .
# Node is one of the npm packages.
ENV PATH=/app/node_modules/.bin:$PATH \
    NODE_COMPILE_CACHE=/tmp/aldaba \
    HOST=0.0.0.0 \
    DATA_DIR=/data
USER aldaba
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
