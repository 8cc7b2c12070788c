import postgres from 'postgres'

/** Whether the suites run on Postgres: SVC_TEST_DIALECT=postgres with SVC_TEST_POSTGRES_URL naming a server. */
export const isPostgresRun = (): boolean => process.env.SVC_TEST_DIALECT === 'postgres'

let count = 0
let template: Promise<string> | undefined

/** The next database, made while the test that has the one before it runs. */
let ahead: Promise<string> | undefined

/** A fresh database copied from a migrated template on the test server; returns its URL. */
export function createPostgresDatabase(): Promise<string> {
  const made = ahead ?? copyTemplate()
  ahead = made.then(copyTemplate)
  ahead.catch(() => {}) // Whoever takes it is told.
  return made
}

async function copyTemplate(): Promise<string> {
  template ??= makeTemplate()
  const name = `svc_test_${process.pid}_${++count}`
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${await template} STRATEGY file_copy`)
  return databaseUrl(name)
}

/** Removes a database that was made here; one that somebody is still connected to stays, until the server goes. */
export function dropPostgresDatabase(url: string): void {
  onServer(`DROP DATABASE ${new URL(url).pathname.slice(1)}`).catch(() => {})
}

async function makeTemplate(): Promise<string> {
  const name = `svc_template_${process.pid}`
  await onServer(`CREATE DATABASE ${name}`)
  const { openPostgres } = await import('../../src/base/db/postgres')
  const { makeTables } = await import('../../src/base/db/tables')
  const { tablesOf } = await import('../../src/create-context')
  const { migrate } = await import('../../src/base/db/migrate')
  const storage = openPostgres(databaseUrl(name), makeTables('postgres', tablesOf()))
  await migrate(storage)
  await storage.close()
  return name
}

export function serverUrl(): string {
  const url = process.env.SVC_TEST_POSTGRES_URL
  if (!url) throw new Error('Set SVC_TEST_POSTGRES_URL to a Postgres server for the tests')
  return url
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.toString()
}

let server: postgres.Sql | undefined

async function onServer(statement: string): Promise<void> {
  server ??= postgres(serverUrl(), { max: 1, onnotice: () => {} })
  await server.unsafe(statement)
}
