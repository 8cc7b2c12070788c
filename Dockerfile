FROM node:22-bookworm-slim AS build
WORKDIR /svc
COPY . .
RUN ./install.sh build

FROM debian:bookworm-slim
RUN useradd --uid 10001 --user-group --home-dir /var/lib/svc --no-create-home --shell /usr/sbin/nologin svc \
  && install -d -m 0700 -o svc -g svc /var/lib/svc
COPY --from=build /svc/dist/svc /usr/local/bin/svc
ENV SVC_HOST=0.0.0.0 SVC_DATA_DIR=/var/lib/svc
USER svc
WORKDIR /var/lib/svc
VOLUME /var/lib/svc
EXPOSE 3000
# The executable is also a Bun, so that the image needs no curl.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["/usr/bin/env", "BUN_BE_BUN=1", "/usr/local/bin/svc", "-e", "const { ok } = await fetch(`http://127.0.0.1:${process.env.SVC_PORT ?? 3000}/health`); process.exit(ok ? 0 : 1)"]
ENTRYPOINT ["/usr/local/bin/svc"]
CMD ["serve"]
