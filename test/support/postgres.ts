import postgres from 'postgres'

/** Whether the suites run on Postgres: SVC_TEST_DIALECT=postgres with SVC_TEST_POSTGRES_URL naming a server. */
export const isPostgresRun = (): boolean => process.env.SVC_TEST_DIALECT === 'postgres'

let count = 0

/** Template databases, each created at its first use. */
const templates = new Map<string, Promise<string>>()

/** The next copy of each template, created while a test uses the copy before it. */
const ahead = new Map<string, Promise<string>>()

/** The content of a database before a test begins. */
export interface Filling {
  /** Unique for its content. */
  name: string
  fill(url: string): Promise<void>
}

/** Creates a fresh database as a copy of a template on the test server; returns its URL. */
export function createPostgresDatabase(filling: Filling = MIGRATED): Promise<string> {
  const made = ahead.get(filling.name) ?? copyTemplate(filling)
  const next = made.then(() => copyTemplate(filling))
  next.catch(() => {}) // The test that takes this copy gets the error.
  ahead.set(filling.name, next)
  return made
}

async function copyTemplate(filling: Filling): Promise<string> {
  const template = templates.get(filling.name) ?? makeTemplate(filling)
  templates.set(filling.name, template)
  return copyOf(await template)
}

async function copyOf(template: string): Promise<string> {
  const name = `svc_test_${process.pid}_${++count}`
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return databaseUrl(name)
}

async function makeTemplate(filling: Filling): Promise<string> {
  const url = filling === MIGRATED ? await emptyDatabase() : await copyTemplate(MIGRATED)
  await filling.fill(url)
  return new URL(url).pathname.slice(1)
}

async function emptyDatabase(): Promise<string> {
  const name = `svc_template_${process.pid}`
  await onServer(`CREATE DATABASE ${name}`)
  return databaseUrl(name)
}

const MIGRATED: Filling = {
  name: 'migrated',
  async fill(url) {
    const { openPostgres } = await import('../../src/base/db/postgres')
    const { makeTables } = await import('../../src/base/db/tables')
    const { tablesOf } = await import('../../src/create-context')
    const { migrate } = await import('../../src/base/db/migrate')
    const storage = openPostgres(url, makeTables('postgres', tablesOf()))
    await migrate(storage)
    await storage.close()
  },
}

/** Removes a database that this process created. A database with open connections stays until the server stops. */
export function dropPostgresDatabase(url: string): void {
  onServer(`DROP DATABASE ${new URL(url).pathname.slice(1)}`).catch(() => {})
}

export function serverUrl(): string {
  const url = process.env.SVC_TEST_POSTGRES_URL
  if (!url) throw new Error('Set SVC_TEST_POSTGRES_URL to a Postgres server for the tests')
  return url
}

/** Fifty writers that wait for one row may need longer than the product's 7 s while other tests use the processors. */
const PATIENCE_MS = 60_000
/** How long a query of a test waits for the database, in milliseconds: longer than the server lets a statement run. */
export const SILENCE_MS = PATIENCE_MS + 500

function databaseUrl(name: string): string {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  url.searchParams.set('statement_timeout', String(PATIENCE_MS))
  return url.toString()
}

let server: postgres.Sql | undefined

async function onServer(statement: string): Promise<void> {
  server ??= postgres(serverUrl(), { max: 1, onnotice: () => {} })
  await server.unsafe(statement)
}
