import { startPostgres } from './postgres-server'

/** Runs a command with its own PostgreSQL server: `bun test/support/with-postgres.ts bun test test/http`. */
const server = await startPostgres()
const child = Bun.spawn(process.argv.slice(2), {
  env: { ...process.env, SVC_TEST_DIALECT: 'postgres', SVC_TEST_POSTGRES_URL: server.url },
  stdio: ['ignore', 'inherit', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
const code = await child.exited
await server.stop()
process.exit(code)
