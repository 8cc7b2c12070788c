import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Migrations } from '../../src/base/db/migrations'
import { readFolder } from '../../src/base/db/migrations.macro'
import type { Slice } from '../../src/base/slice'
import { generateMigrations } from '../../src/generate'
import { SLICES } from '../../src/slices'

const ROOT = join(import.meta.dir, '..', '..')
const SRC = join(ROOT, 'src')

/** A program with one more slice than the product. */
export interface ExtraParts {
  slices: readonly Slice[]
  migrations: Migrations
}

/** What the extra slice keeps between calls, as the test looks at it. */
export interface Greeter {
  isClosed: boolean
  hasEnded: boolean
  /** Ends when its loop ran. */
  looped: Promise<void>
}

/** Writes the folder of one more slice, with everything that a slice can bring, and the migrations that its tables need. */
export async function makeExtraSlice(folder: string): Promise<ExtraParts> {
  const slice = join(folder, 'greetings')
  mkdirSync(slice)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(slice, name), text.replaceAll('SRC/', `${SRC}/`))
  const out = join(folder, 'migrations')
  cpSync(join(ROOT, 'migrations'), out, { recursive: true })
  await generateMigrations({ roots: [SRC, slice], out, args: ['--name', 'greetings'], isQuiet: true })
  const { greetings } = (await import(join(slice, 'slice'))) as { greetings: Slice }
  const migrations = { sqlite: readFolder(join(out, 'sqlite')), postgres: readFolder(join(out, 'postgres')) }
  return { slices: [...SLICES, greetings], migrations }
}

/** Says whether the files of the slice hold to their types, by what the compiler prints: nothing. */
export function compileExtraSlice(folder: string): string {
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    include: ['greetings', SRC], // What slices declare into shared types lies in all of it.
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = Bun.spawnSync([join(ROOT, 'node_modules', '.bin', 'tsc'), '--singleThreaded', '-p', folder])
  return stdout.toString()
}

const FILES: Record<string, string> = {
  'tables.ts': `
import type { Kit } from 'SRC/base/db/kit'

export const greetingTables = (k: Kit) => ({
  greetings: k.table(
    'greetings',
    { id: k.str().primaryKey(), projectId: k.str().notNull(), text: k.str().notNull(), repeats: k.int().notNull() },
    (t) => [k.index('greetings_project').on(t.projectId)],
  ),
})

type GreetingTables = ReturnType<typeof greetingTables>

declare module 'SRC/base/lib/ids' {
  interface IdPrefixes {
    gre: string
  }
}

declare module 'SRC/base/db/tables' {
  interface Tables extends GreetingTables {}
}
`,
  'service.ts': `
import { eq, sql } from 'drizzle-orm'
import type { Context } from 'SRC/base/context'
import type { Handle } from 'SRC/base/db/handle'
import './tables'

export const listGreetings = ({ db, tables: { greetings } }: Handle, projectId: string) =>
  db.select().from(greetings).where(eq(greetings.projectId, projectId))

export async function greet(ctx: Context, projectId: string, text: string): Promise<void> {
  await ctx.write(async (tx) => {
    await tx.db.insert(tx.tables.greetings).values({ id: tx.ids.next('gre'), projectId, text, repeats: 0 })
  })
}

export async function repeatAll(ctx: Context): Promise<void> {
  await ctx.write(async (tx) => {
    const { greetings } = tx.tables
    await tx.db.update(greetings).set({ repeats: sql\`\${greetings.repeats} + 1\` })
  })
}
`,
  'routes.ts': `
import { Type } from '@sinclair/typebox'
import type { Context } from 'SRC/base/context'
import { api } from 'SRC/projects/doors/api'
import { greet } from './service'

const Answer = Type.Object({ data: Type.Object({ text: Type.String(), greetedBefore: Type.Integer() }) })
const Body = Type.Object({ text: Type.String({ minLength: 1, maxLength: 40 }) }, { additionalProperties: false })

export const greetingRoutes = (ctx: Context) =>
  api(ctx, { key: 'any' }).post(
    '/greetings',
    async ({ project, body }) => {
      await greet(ctx, project.id, body.text)
      ctx.metrics.greetings.inc()
      return { data: { text: body.text, greetedBefore: project.greetingCount } }
    },
    {
      body: Body,
      response: Answer,
      detail: { tags: ['Greetings'], summary: 'Greet everybody', operationId: 'postGreeting' },
    },
  )
`,
  'slice.ts': `
import { Type } from '@sinclair/typebox'
import { Counter } from 'prom-client'
import type { Command } from 'SRC/base/cli/command'
import { withContext } from 'SRC/base/cli/context'
import { type Examination, ok } from 'SRC/base/cli/doctor'
import { cronLine, defineJob } from 'SRC/base/jobs/registry'
import type { MetricParts } from 'SRC/base/metrics/metrics'
import { slice } from 'SRC/base/slice'
import { requireProject } from 'SRC/projects/project/lookup'
import { greetingRoutes } from './routes'
import { listGreetings, repeatAll } from './service'
import { greetingTables } from './tables'

class Greeter {
  isClosed = false
  hasEnded = false
  saw: () => void = () => {}
  readonly looped = new Promise<void>((resolve) => {
    this.saw = resolve
  })
  close() {
    this.isClosed = true
  }
}

const metrics = ({ registry }: MetricParts) => ({
  greetings: new Counter({ name: 'svc_greetings_total', help: 'Greetings', registers: [registry] }),
})

type Made = ReturnType<typeof metrics>

declare module 'SRC/base/metrics/metrics' {
  interface Metrics extends Made {}
}

declare module 'SRC/base/state' {
  interface SliceState {
    greeter: Greeter
  }
}

declare module 'SRC/projects/project/state' {
  interface ProjectParts {
    greetingCount: number
  }
}

const repeat = defineJob({
  name: 'greetings.repeat',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: repeatAll,
})

const examination: Examination = {
  name: 'greetings',
  host: () => [ok('greeting host', 'It can greet.')],
  database: async ({ handle }) => [
    ok('greetings', \`\${(await handle.db.select().from(handle.tables.greetings)).length} are stored.\`),
  ],
  project: async ({ handle }, { id }) =>
    (await listGreetings(handle, id)).length > 0 ? {} : { gaps: [{ code: 'NOBODY_GREETED', message: 'Nobody was greeted.', params: {} }] },
}

const command: Command = {
  name: 'greetings',
  summary: 'list greetings',
  help: 'svc greetings --project P',
  run: (args, io) =>
    withContext(io, {}, async (ctx) => {
      const rows = await listGreetings(ctx, (await requireProject(ctx, args[0])).id)
      io.out(rows.map(({ text, repeats }) => \`\${text} \${repeats}\`).join('\\n'))
      return 0
    }),
}

export const greetings = slice({
  name: 'greetings',
  tags: [{ name: 'Greetings', description: 'What is said to everybody.' }],
  tables: greetingTables,
  state: { greeter: () => new Greeter() },
  metrics,
  projectParts: { greetingCount: async ({ handle, projectId }) => (await listGreetings(handle, projectId)).length },
  routes: greetingRoutes,
  cron: [cronLine({ name: 'greetings', pattern: '* * * * *', job: repeat })],
  loops: [
    {
      name: 'greetings',
      everyMs: 10,
      run: async ({ state }) => state.greeter.saw(),
      end: async ({ state }) => {
        state.greeter.hasEnded = true
      },
    },
  ],
  commands: [command],
  doctor: examination,
})
`,
}
