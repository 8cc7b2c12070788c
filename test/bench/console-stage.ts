import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { rebuildProjects } from '../../src/insight/figures/rebuild-projects'
import { rollUp } from '../../src/insight/figures/rolls/turn'
import { TEST_KEY } from '../support/context'
import { type Child, ROOT, startServer } from './children'
import type { SlowVisit } from './console-browser'
import type { Aim } from './report'
import { seed } from './seed'
import type { Template } from './template'

export interface Plan {
  folder: string
  template: Template
  command: readonly string[]
  /** How many people the long list has. */
  subscribers: number
  rounds: number
  say: (line: string) => void
}

export const atMost = (value: number): Aim => ({ of: 'result', is: 'at most', value })

export const READY_MS = atMost(1000)

/** The people of the project whose screens are opened. */
export const FEW = 2000

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }

/** A deployment with an owner. Everything that was bought counts as production, so that the screens have figures. */
export async function open(plan: Plan, name: string, subscribers: number, tables?: string[]): Promise<Child> {
  const folder = join(plan.folder, name)
  seed(plan.template, folder, subscribers, plan.say, tables)
  const database = new Database(join(folder, 'svc.db'))
  for (const table of ['purchases', 'transactions', 'events'])
    database.exec(`UPDATE ${table} SET environment = 'PRODUCTION'`)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  plan.say(`${name}: the purchases are of production`)
  await countFigures(folder, subscribers <= FEW)
  const server = await startServer(plan.command, folder, { SVC_RATE_USER: '0' })
  await signUp(plan, folder, server.url)
  plan.say(`${name}: served with an owner`)
  return server
}

/** Entries of what was bought; or none, and the server is told that they are there, because they would take minutes. */
async function countFigures(folder: string, isWhole: boolean): Promise<void> {
  const ctx = await createContext(readConfig({ SVC_DATA_DIR: folder, SVC_MASTER_KEY: TEST_KEY }), {
    clock: systemClock,
  })
  await rebuildProjects(ctx, () => !isWhole)
  await ctx.write(({ db, tables: { figureProjects } }) => db.update(figureProjects).set({ doneUntil: null }))
  await rollUp(ctx)
  await ctx.close()
}

/** The first account owns the project. */
async function signUp({ command }: Plan, folder: string, url: string): Promise<void> {
  const asked = [...command.slice(0, -1), 'user', 'setup-link', '--json', '--data', folder]
  const made = Bun.spawnSync(asked, { cwd: ROOT, env: { ...process.env, SVC_MASTER_KEY: TEST_KEY, SVC_FX_URL: 'off' } })
  const setupToken = /\/setup\/([^"\s]+)/.exec(made.stdout.toString())?.[1]
  const answer = await fetch(`${url}/api/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ ...OWNER, name: 'Owner', setupToken }),
  })
  if (!answer.ok) throw new Error(`the sign-up was answered ${answer.status}: ${await answer.text()}`)
}

/** The browser remembers the address; the password is typed. */
export async function signIn(visit: SlowVisit): Promise<void> {
  await visit.page.fill('input[type=email]', OWNER.email)
  await visit.type('input[type=password]', OWNER.password)
}
