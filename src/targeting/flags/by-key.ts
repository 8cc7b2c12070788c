import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { notFound } from '../../base/errors'
import { refuseOtherRevision } from '../../base/http/revision'
import { sha256Hex } from '../../base/lib/hash'
import { toIso } from '../../base/lib/time'
import { type FlagEnvironment, type FlagType, isKey } from '../../core/flag/names'
import type { FlagRule } from '../../core/flag/schema'
import { findLastChange, listRevisions, revisionAfter } from '../../projects/audit/revisions'
import { type Edit, editProject, type ProjectActor, refuseFaults } from '../../projects/project/edit'
import { addFlag, changeFlag, removeFlag } from './admin'
import { flagWarnings } from './admin-wire'
import { type FlagTableRow, listFlagsOfKey } from './service'

const ENVIRONMENTS: readonly FlagEnvironment[] = ['PROD', 'STAGING', 'DEVELOPMENT']

export interface EnvironmentInput {
  defaultValue: unknown
  rules?: FlagRule[]
  isEnabled?: boolean
}

/** A flag over all environments. Those without an input have no flag of this key afterwards. */
export interface KeyInput {
  type: FlagType
  description?: string | null
  environments: Partial<Record<FlagEnvironment, EnvironmentInput | null>>
}

type Revisions = ReadonlyMap<string, number>

function toView(key: string, rows: readonly FlagTableRow[], revisions: Revisions) {
  const [first] = ordered(rows)
  if (!first) throw notFound('feature flag', key)
  const viewOf = (env: FlagEnvironment) => {
    const row = rows.find((each) => each.env === env)
    if (!row) return null
    const { id, defaultValue, rules, isEnabled } = row
    return { id, defaultValue, rules, isEnabled, ...flagWarnings(rules), revision: revisions.get(id) ?? 1 }
  }
  return {
    key,
    type: first.type,
    description: first.description,
    environments: { PROD: viewOf('PROD'), STAGING: viewOf('STAGING'), DEVELOPMENT: viewOf('DEVELOPMENT') },
    revision: revisionOf(rows, revisions),
    createdAt: toIso(Math.min(...rows.map(({ createdAt }) => createdAt))),
    updatedAt: toIso(Math.max(...rows.map(({ updatedAt }) => updatedAt))),
  }
}

export type FlagOfKeyView = ReturnType<typeof toView>

const ordered = (rows: readonly FlagTableRow[]): FlagTableRow[] =>
  rows.toSorted((a, b) => ENVIRONMENTS.indexOf(a.env) - ENVIRONMENTS.indexOf(b.env))

/**
 * One number for the flags of a key, for `If-Match`: another one after every change of one of them. It is made from
 * their ids and revisions and does not count, because a flag that is deleted in one environment takes its revision away.
 */
const revisionOf = (rows: readonly FlagTableRow[], revisions: Revisions): number =>
  Number.parseInt(
    sha256Hex(JSON.stringify(ordered(rows).map(({ id }) => [id, revisions.get(id) ?? 1]))).slice(0, 12),
    16,
  )

/** 404 when no environment has a flag of this key. */
export async function getFlagOfKey(ctx: Context, projectId: string, key: string): Promise<FlagOfKeyView> {
  const revisions = await revisionsOf(ctx, projectId, await listFlagsOfKey(ctx, projectId, key))
  // Read again after the revisions: a change in between makes a later `If-Match` fail.
  return toView(key, await listFlagsOfKey(ctx, projectId, key), revisions)
}

const revisionsOf = (handle: Handle, projectId: string, rows: readonly FlagTableRow[]): Promise<Revisions> =>
  listRevisions(
    handle,
    projectId,
    rows.map(({ id }) => id),
  )

/**
 * Writes the flags of a key in all environments as one change, with one audit row for each that differs. Refusals as for
 * `createFlag`; 400 `VALIDATION_ERROR` without any environment.
 */
export const putFlagOfKey = (ctx: Context, by: ProjectActor, key: string, input: KeyInput): Promise<FlagOfKeyView> =>
  editProject(ctx, by, async (edit) => {
    if (!isKey(key)) refuseFaults([KEY_FAULT])
    const saved = await listFlagsOfKey(edit.tx, edit.projectId, key)
    await requireSame(edit, saved, by.expected ?? null)
    if (ENVIRONMENTS.every((env) => !input.environments[env]))
      refuseFaults([
        { path: 'environments', message: 'environments must have at least one; delete the flags otherwise' },
      ])
    for (const row of saved) if (!input.environments[row.env]) await removeFlag(edit, row)
    const rows: FlagTableRow[] = []
    for (const env of ENVIRONMENTS) {
      const wanted = input.environments[env]
      if (wanted) rows.push(await saveIn(edit, env, { ...input, ...wanted, key }, saved))
    }
    const revisions = new Map<string, number>()
    for (const { id } of rows) revisions.set(id, await revisionAfter(edit, id))
    return toView(key, rows, revisions)
  })

/** Deletes the flags of a key in all environments as one change, with one audit row for each. 404 when there is none. */
export const deleteFlagOfKey = (ctx: Context, by: ProjectActor, key: string): Promise<void> =>
  editProject(ctx, by, async (edit) => {
    const saved = await listFlagsOfKey(edit.tx, edit.projectId, key)
    if (saved.length === 0) throw notFound('feature flag', key)
    await requireSame(edit, saved, by.expected ?? null)
    for (const row of ordered(saved)) await removeFlag(edit, row)
  })

const KEY_FAULT = { path: 'key', message: 'key must be 1 to 64 letters, digits, $, _, . and -' }

async function saveIn(
  edit: Edit,
  env: FlagEnvironment,
  {
    key,
    type,
    description = null,
    defaultValue,
    rules = [],
    isEnabled = true,
  }: Omit<KeyInput, 'environments'> & EnvironmentInput & { key: string },
  saved: readonly FlagTableRow[],
): Promise<FlagTableRow> {
  const part = { place: `environments.${env}.` }
  const there = saved.find((row) => row.env === env)
  const content = { type, description, defaultValue, rules, isEnabled }
  return there ? changeFlag(edit, there, content, part) : addFlag(edit, { key, env, ...content }, part)
}

async function requireSame(
  { tx, projectId }: Edit,
  rows: readonly FlagTableRow[],
  expected: number | null,
): Promise<void> {
  const revision = revisionOf(rows, await revisionsOf(tx, projectId, rows))
  if (expected === null || expected === revision) return
  const newest = rows.toSorted((a, b) => b.updatedAt - a.updatedAt)[0]
  const change = newest ? await findLastChange(tx, projectId, newest.id) : { updatedBy: null, updatedAt: null }
  refuseOtherRevision(expected, { ...change, revision })
}
