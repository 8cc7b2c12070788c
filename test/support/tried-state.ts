import type { Context } from '../../src/base/context'
import type { Stage } from './cast'
import { dumpOf } from './dump'

/** A state of the whole database, and the time at which it was read. */
export interface StateAt {
  lines: readonly string[]
  now: number
}

let tables: string[] | null = null

/** Every row of every table but of the list of migrations, which is older than the product's tables. */
export async function everyRow({ ctx }: Stage): Promise<StateAt> {
  tables ??= Object.keys(ctx.tables).filter((name) => name !== 'migrations')
  const lines = await dumpOf(ctx, tables as Parameters<typeof dumpOf>[1])
  return { lines: withUseInTotal(lines), now: ctx.clock.now() }
}

/** Each connection to PostgreSQL counts use in a row of its own. */
function withUseInTotal(lines: readonly string[]): string[] {
  const totals = new Map<string, number>()
  for (const line of lines) {
    const [, what, used] = USE.exec(line) ?? []
    if (what !== undefined) totals.set(what, (totals.get(what) ?? 0) + Number(used))
  }
  return [...lines.filter((line) => !USE.test(line)), ...[...totals].map(([what, used]) => `${what},"used":${used}`)]
}
const USE = /^(usageDays .*),"writer":\d+,"used":(\d+)$/

/**
 * Reads every row whenever a dry run ends, in its transaction: what the tried change has written, before it is undone.
 * `states` grows with each dry run.
 */
export function watchTrials(s: Stage): { states: StateAt[]; stop(): void } {
  const states: StateAt[] = []
  const { write } = s.ctx
  const set = (value: Context['write']) => Object.defineProperty(s.ctx, 'write', { value, configurable: true })
  set((work) =>
    write(async (tx) => {
      try {
        return await work(tx)
      } catch (error) {
        const within = Object.create(s.ctx, { db: { value: tx.db } }) as Stage['ctx']
        if (error instanceof Error && error.message === 'the end of a dry run')
          states.push(await everyRow({ ...s, ctx: within }))
        throw error
      }
    }),
  )
  return { states, stop: () => set(write) }
}

/** What a change was: its arguments, and the proposal that it belongs to. */
interface Change {
  given: object
  intentId: string
}

/** The rows that came and went between two states, with what differs by nature in one form. */
export function writtenRows({ lines: before }: StateAt, { lines, now }: StateAt, change: Change): string[] {
  const known = [...before, ...instantsOf(JSON.stringify(change.given))].join('\n')
  const own = (line: string) => comparable(line, known, now)
  const isMeant = (line: string) => !isOfProposal(line, change)
  const [was, is] = [new Set(before), new Set(lines)]
  const came = lines.filter((line) => !was.has(line) && isMeant(line)).map(own)
  const went = before.filter((line) => !is.has(line) && isMeant(line)).map(own)
  const [cameSet, wentSet] = [new Set(came), new Set(went)]
  return [
    ...came.filter((line) => !wentSet.has(line)).map((line) => `+ ${line}`),
    ...went.filter((line) => !cameSet.has(line)).map((line) => `- ${line}`),
  ].sort()
}

/** The proposal itself, and the notices of it: they are written around the change. */
const isOfProposal = (line: string, { intentId }: Change): boolean =>
  (line.startsWith('assistantIntents ') && line.includes(intentId)) ||
  (line.startsWith('notices ') && line.includes("'assistant.intent'"))

const ID = /\b([a-z]{2,5})_[0-9a-z]{26}\b/g
const INSTANT = /\b1[78]\d{11}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** The instants of a text, in both forms in which the database has them. */
const instantsOf = (text: string): string[] => (text.match(INSTANT) ?? []).flatMap((one) => [one, String(msOf(one))])

const msOf = (instant: string): number => (instant.includes('T') ? Date.parse(instant) : Number(instant))

/** New ids by their kind, and instants that were neither there nor given by their distance from now. */
function comparable(line: string, known: string, now: number): string {
  const named = line.replace(ID, (id, kind) => (known.includes(id) ? id : `new ${kind}`))
  const timed = named.replace(INSTANT, (one) => (known.includes(one) ? one : `now+${msOf(one) - now}`))
  return withoutNatural(timed)
}

const AS_ACTOR = 'a proposal is tried as the one who made it, and executed as the one who approves it'

/** Columns of any table that differ by nature, and why. */
const COUNTED: Readonly<Record<string, string>> = {
  position: 'PostgreSQL counts on, also where the transaction is undone',
  eventPosition: 'the position of an event',
  openOrder: 'the position of an event',
}

/** Columns that differ by nature, and why. */
const NATURAL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  auditLog: {
    actor: AS_ACTOR,
    prevHash: 'the hash of the row before',
    rowHash: 'it covers the id, the instant and the actor of the row',
  },
  objectRevisions: { updatedBy: AS_ACTOR },
  funnelVersions: { publishedBy: AS_ACTOR },
  cohorts: { listId: 'a random UUID', tookMs: 'measured' },
  cohortMembers: { listId: 'that of the cohort' },
  userSessions: { lastSeenAt: 'the call of the person who approves' },
  accessTokens: { lastUsedAt: 'the call of the agent who proposes' },
}

function withoutNatural(line: string): string {
  const [table = ''] = line.split(' ', 1)
  const columns = Object.keys({ ...COUNTED, ...NATURAL[table] })
  return columns.reduce((rest, column) => rest.replace(columnOf(column), `"${column}":…`), line)
}

/** A column with its value in a line of a dump: text in quotes, or anything else up to the next column. */
const columnOf = (column: string): RegExp => new RegExp(`"${column}":(?:'(?:[^']|'')*'|.*?(?=,"\\w+":|$))`)

/** Tables whose rows a preview does not name one by one, and why people need not see them. */
const DERIVED: Readonly<Record<string, string>> = {
  projects: 'its version of the configuration counts each change',
  revisions: 'the counter of these versions',
  usageDays: 'what was used, for the bill',
  deliveries: 'a preview has the number of what is sent again',
  deliveryTargets: 'when the next delivery is due',
  cohortMembers: 'they follow from the definition of the cohort',
}

/** The rows that belong to none of the objects with these ids, although people must see what happens to them. */
export const unnamedRows = (before: StateAt, after: StateAt, change: Change, ids: ReadonlySet<string>): string[] => {
  const [was, is] = [new Set(before.lines), new Set(after.lines)]
  const changed = [
    ...after.lines.filter((line) => !was.has(line)),
    ...before.lines.filter((line) => !is.has(line)),
  ].filter((line) => !isOfProposal(line, change))
  const isNamed = (line: string) => [...ids].some((id) => line.includes(id))
  const isDerived = (line: string) => Object.hasOwn(DERIVED, line.split(' ', 1)[0] ?? '')
  const isUse = (line: string) => /^(userSessions|accessTokens) /.test(line)
  return changed.filter((line) => !isNamed(line) && !isDerived(line) && !isUse(line))
}
