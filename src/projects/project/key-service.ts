import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import { invalid, notFound } from '../../base/errors'
import { HOUR, MINUTE } from '../../base/lib/clock'
import { type Actor, type AuditEntry, CLI_ACTOR } from '../audit/audit'
import { requireRevision } from '../audit/revisions'
import { stampKeyUse } from './admin-queries'
import { conflict, type Edit, editProject, isSame } from './edit'
import {
  checkKeyChange,
  type KeyChange,
  type KeyInput,
  type KeyView,
  newKey,
  newSecret,
  secretColumns,
  toKeyView,
} from './keys'
import type { ApiKeyRow } from './queries'
import * as queries from './queries'

export const MAX_KEYS = 50
export const MAX_OVERLAP_HOURS = 168

/** A key with its secret, which cannot be read again later. */
export interface CreatedKey {
  key: KeyView
  publicKey: string | null
  secretKey: string | null
}

/** Who changes a key, and what must be true of it. */
export interface KeyEditor {
  actor: Actor
  /** A key of another project is not found. */
  projectId?: string
  /** The revision that the key must have; null = any. */
  expected?: number | null
}

const CLI: KeyEditor = { actor: CLI_ACTOR }

/** A project's keys, oldest first. */
export async function listKeys(handle: Handle, projectId: string): Promise<KeyView[]> {
  return (await queries.listKeys(handle, projectId)).map(toKeyView)
}

/** A project's keys, newest first, in pages. */
export async function pageKeys(
  handle: Handle,
  projectId: string,
  page: { beforeId: string | null; limit: number },
): Promise<KeyView[]> {
  return (await queries.pageKeys(handle, projectId, page)).map(toKeyView)
}

/** Creates a key; 409 `CONFLICT` when the project already has 50 keys that are not revoked. */
export async function createKey(
  ctx: Context,
  projectId: string,
  input: KeyInput,
  actor: Actor = CLI_ACTOR,
): Promise<CreatedKey> {
  return editProject(ctx, { projectId, actor }, async ({ tx, entries }) => {
    const keys = await queries.listKeys(tx, projectId)
    const live = keys.filter(({ revokedAt }) => revokedAt === null)
    if (live.length >= MAX_KEYS) throw conflict(`A project has at most ${MAX_KEYS} API keys; revoke one first`)
    const { row, secretKey } = newKey(tx, projectId, input)
    await queries.insertKey(tx, row)
    entries.push(keyEntry('create', null, row))
    return { key: toKeyView(row), publicKey: row.publicKey, secretKey }
  })
}

/**
 * Gives a key a new secret. The old secret stays valid for `overlapHours` (0..168); the public key does not change,
 * because apps are shipped with it. 400 for a key that is only public, 409 for one that is revoked.
 */
export async function rotateKey(
  ctx: Context,
  keyId: string,
  overlapHours = 0,
  by: KeyEditor = CLI,
): Promise<CreatedKey> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MAX_OVERLAP_HOURS)
    throw invalid(`overlapHours must be a whole number from 0 to ${MAX_OVERLAP_HOURS}`)
  return editKey(ctx, keyId, by, async (edit, row) => {
    if (row.kind === 'public') throw invalid('A public key has no secret to rotate')
    refuseRevoked(row)
    const secretKey = newSecret(edit.tx)
    const overlap = overlapHours * HOUR
    const previous = overlap === 0 ? ([null, null] as const) : ([row.secretHash, edit.now + overlap] as const)
    const change = {
      ...secretColumns(secretKey),
      previousHash: previous[0],
      previousUntil: previous[1],
      updatedAt: edit.now,
    }
    return { key: await changeKey(edit, row, change, 'rotate'), publicKey: row.publicKey, secretKey }
  })
}

/**
 * Changes a key. A running server acts on it within 2 s. 400 for a value that a new key could not have, 409 for a key
 * that is revoked. A change to the same values writes nothing.
 */
export function updateKey(ctx: Context, keyId: string, change: KeyChange, by: KeyEditor = CLI): Promise<KeyView> {
  return editKey(ctx, keyId, by, async (edit, row) => {
    refuseRevoked(row)
    const checked = checkKeyChange(change, edit.now)
    if (isSame(toKeyView(row), toKeyView({ ...row, ...checked }))) return toKeyView(row)
    return changeKey(edit, row, { ...checked, updatedAt: edit.now }, 'update')
  })
}

/** Revokes a key at once. A second call changes nothing. */
export function revokeKey(ctx: Context, keyId: string, by: KeyEditor = CLI): Promise<KeyView> {
  return editKey(ctx, keyId, by, async (edit, row) => {
    if (row.revokedAt !== null) return toKeyView(row)
    return changeKey(edit, row, revocation(edit), 'revoke')
  })
}

/** As `revokeKey`, but 404 for a key that is revoked already. */
export async function deleteKey(ctx: Context, keyId: string, by: KeyEditor): Promise<void> {
  await editKey(ctx, keyId, by, async (edit, row) => {
    if (row.revokedAt !== null) throw notFound('key', keyId)
    return changeKey(edit, row, revocation(edit), 'revoke')
  })
}

const revocation = ({ now }: Edit) => ({ revokedAt: now, previousHash: null, previousUntil: null, updatedAt: now })

function refuseRevoked({ revokedAt }: ApiKeyRow): void {
  if (revokedAt !== null) throw conflict('The key is revoked; create another')
}

/** The id of the project that has a key. 404 for a key of none. */
export async function findKeyProject(ctx: Context, keyId: string): Promise<string> {
  const found = await queries.findKeyById(ctx, keyId)
  if (!found) throw notFound('key', keyId)
  return found.projectId
}

async function editKey<Result>(
  ctx: Context,
  keyId: string,
  { actor, projectId, expected = null }: KeyEditor,
  work: (edit: Edit, row: ApiKeyRow) => Promise<Result>,
): Promise<Result> {
  const found = await queries.findKeyById(ctx, keyId)
  if (!found || (projectId !== undefined && found.projectId !== projectId)) throw notFound('key', keyId)
  return editProject(ctx, { projectId: found.projectId, actor }, async (edit) => {
    await requireRevision(edit.tx, edit.projectId, keyId, expected)
    return work(edit, (await queries.findKeyById(edit.tx, keyId)) ?? found)
  })
}

async function changeKey(
  { tx, entries }: Edit,
  row: ApiKeyRow,
  change: Partial<ApiKeyRow>,
  verb: string,
): Promise<KeyView> {
  const changed = { ...row, ...change }
  await queries.updateKey(tx, row.id, change)
  entries.push(keyEntry(verb, row, changed))
  return toKeyView(changed)
}

/** Writes the last use of the keys, for each key at most once a minute. Called by the worker. */
export async function flushKeyUse(ctx: Context): Promise<void> {
  const used = ctx.state.keys.takeUsed()
  if (used.length === 0) return
  await ctx.write(async (tx) => {
    for (const [id, at] of used) await stampKeyUse(tx, id, at, MINUTE)
  })
}

const keyEntry = (verb: string, before: ApiKeyRow | null, after: ApiKeyRow): AuditEntry => ({
  action: `apiKey.${verb}`,
  target: { type: 'apiKey', id: after.id },
  before: before && toKeyView(before),
  after: toKeyView(after),
})
