import type { Context, Tx } from '../../base/context'
import { outsideNow } from '../../base/lib/clock'
import { findTlsName, listTlsNames, type NameRow, saveTlsName, unwantOtherNames } from './queries'

export interface WantedName {
  name: string
  /** Null = a name of the deployment. */
  projectId: string | null
}

/** The names that get certificates, the first one for unknown names: those of the configuration, then custom domains. */
export async function wantedNames(ctx: Context): Promise<WantedName[]> {
  const own = ctx.config.tls.names.map((name) => ({ name, projectId: null }))
  const found = await Promise.all((ctx.hooks.verifiedHostnames ?? []).map((list) => list(ctx)))
  const custom = found.flat().map(({ hostname, projectId }) => ({ name: hostname, projectId }))
  return [...own, ...custom.filter(({ name }) => !ctx.config.tls.names.includes(name))]
}

/** Writes which names are wanted, if that has changed. Returns the rows of the wanted ones, in their order. */
export async function syncNames(ctx: Context, wanted: readonly WantedName[]): Promise<NameRow[]> {
  const rows = await listTlsNames(ctx)
  if (isSame(rows, wanted)) return inOrder(rows, wanted)
  await ctx.write((tx) => writeNames(tx, wanted))
  return inOrder(await listTlsNames(ctx), wanted)
}

async function writeNames(tx: Tx, wanted: readonly WantedName[]): Promise<void> {
  await unwantOtherNames(
    tx,
    wanted.map(({ name }) => name),
  )
  for (const { name, projectId } of wanted) {
    const row = await findTlsName(tx, name)
    await saveTlsName(tx, { ...(row ?? newRow(name, outsideNow(tx))), projectId, isWanted: true })
  }
}

function isSame(rows: readonly NameRow[], wanted: readonly WantedName[]): boolean {
  const known = new Map(rows.filter(({ isWanted }) => isWanted).map(({ name, projectId }) => [name, projectId]))
  return known.size === wanted.length && wanted.every(({ name, projectId }) => known.get(name) === projectId)
}

const inOrder = (rows: readonly NameRow[], wanted: readonly WantedName[]): NameRow[] =>
  wanted.flatMap(({ name }) => rows.find((row) => row.name === name) ?? [])

const newRow = (name: string, now: number): NameRow => ({
  name,
  projectId: null,
  isWanted: true,
  status: 'PENDING',
  failures: 0,
  nextAttemptAt: now,
  errorCode: null,
  errorDetail: null,
  healthySince: null,
  alerted: 0,
  renewalCheckedAt: null,
  renewAt: null,
})
