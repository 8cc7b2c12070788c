import { and, eq, inArray, type Placeholder, sql } from 'drizzle-orm'
import type { Tx } from '../../base/context'
import { byPrepared } from '../../base/db/by-some'
import type { Handle } from '../../base/db/handle'
import { prepared } from '../../base/db/prepared'
import type { Mac } from '../../base/lib/mac'
import type { ErasedKeyKind } from './tables'

declare module '../../base/state' {
  interface SliceState {
    erasedKeys: KeyHasher
  }
}

/** What the functions below need besides the database. A context has it, and a transaction. */
export type ErasedReader = Handle & { readonly state: Pick<Tx['state'], 'erasedKeys'> }

export interface PersonKey {
  kind: ErasedKeyKind
  value: string
}

export type ErasedKeyRow = Handle['tables']['erasedKeys']['$inferSelect']

const PURPOSE = 'keys of erased people'

/** Hashes keys with the master key: whoever has only the hashes cannot try out labels that can be guessed. */
export class KeyHasher {
  constructor(private readonly mac: Mac) {}

  hash(projectId: string, { kind, value }: PersonKey): string {
    return this.mac.sign(`${projectId}|${kind}|${value}`, PURPOSE)
  }

  /** Identifies the master key, so that hashes made with another one are not compared with these. */
  fingerprint(): string {
    return this.mac.sign('fingerprint', PURPOSE).slice(0, 16)
  }
}

/** The id of the erased row that has to answer for a key; null when the key is of nobody who was erased. */
export async function findErasedKey(reader: ErasedReader, projectId: string, key: PersonKey): Promise<string | null> {
  const query = prepared(reader, 'subscribers.erasedKey', ({ db, tables: { erasedKeys: e } }) => {
    const isKind = and(eq(e.projectId, sql.placeholder('projectId')), eq(e.kind, sql.placeholder('kind')))
    const isKey = and(isKind, eq(e.hash, sql.placeholder('hash')))
    return db.select({ id: e.subscriberId }).from(e).where(isKey).limit(1).prepare()
  })
  const hash = reader.state.erasedKeys.hash(projectId, key)
  const [row] = await query.execute({ projectId, kind: key.kind, hash })
  return row?.id ?? null
}

const CHUNK = 500

/** Those of the device keys and labels that belonged to people who were erased; imports leave their rows out. */
export async function listErasedAmong(
  reader: ErasedReader,
  projectId: string,
  keys: readonly PersonKey[],
): Promise<PersonKey[]> {
  if (!(await hasErased(reader, projectId))) return []
  const hashed = keys.map((key) => ({ key, hash: reader.state.erasedKeys.hash(projectId, key) }))
  const hashes = hashed.map(({ hash }) => hash)
  const found = await listErasedHashes(reader, projectId, hashes)
  return hashed.filter(({ hash }) => found.has(hash)).map(({ key }) => key)
}

/** Those of the hashes that `KeyHasher` has made of device keys and labels of people who were erased. */
export async function listErasedHashes(
  handle: Handle,
  projectId: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await byPrepared(handle, hashes, AMONG, { projectId })
  return new Set(rows.map(({ hash }) => hash))
}

/** How many keys of erased people a project knows. It rises with each person who is erased. */
export const countErasedKeys = ({ db, tables: { erasedKeys: e } }: Handle, projectId: string): Promise<number> =>
  db.$count(e, eq(e.projectId, projectId))

const AMONG = {
  name: 'subscribers.erasedAmong',
  build({ db, tables: { erasedKeys: e } }: Handle, some: Placeholder[]) {
    const isKind = and(eq(e.projectId, sql.placeholder('projectId')), inArray(e.kind, ['DEVICE', 'LABEL']))
    return db
      .select({ hash: e.hash })
      .from(e)
      .where(and(isKind, inArray(e.hash, some)))
      .prepare()
  },
}

/** Whether anybody was erased: without it no key need be hashed. */
async function hasErased(reader: ErasedReader, projectId: string): Promise<boolean> {
  const query = prepared(reader, 'subscribers.hasErased', ({ db, tables: { erasedKeys: e } }) =>
    db
      .select({ hash: e.hash })
      .from(e)
      .where(eq(e.projectId, sql.placeholder('projectId')))
      .limit(1)
      .prepare(),
  )
  return (await query.execute({ projectId })).length > 0
}

export async function insertErasedKeys({ db, tables }: Handle, rows: readonly ErasedKeyRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK)
    await db
      .insert(tables.erasedKeys)
      .values(rows.slice(at, at + CHUNK))
      .onConflictDoNothing()
}
