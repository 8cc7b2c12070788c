import type { Tx } from '../../base/context'
import { type RowChanges, type Writer, writeRows } from '../../base/db/row-changes'
import * as queries from './queries'

/** An audience as it is written; only the one called "All users" is the default. */
export type Audience = Omit<queries.AudienceRow, 'projectId' | 'createdAt' | 'updatedAt'>

export type { AudienceRow } from './queries'
/** A project's audiences, by name. */
export const listAudiences = queries.listAudiences
export const pageAudiences = queries.pageAudiences
export const findAudience = queries.findAudience
export const listAudienceNames = queries.listAudienceNames

/** The name of the audience that every project has. */
export const ALL_USERS = 'All users'

/** Adds the audience of all subscribers to a new project. It cannot be changed. */
export async function insertDefaultAudience(tx: Tx, projectId: string): Promise<void> {
  const now = tx.clock.now()
  const everybody = { name: ALL_USERS, description: null, rules: {}, isDefault: true }
  await queries.insertAudiences(tx, [
    { id: tx.ids.next('aud'), projectId, ...everybody, createdAt: now, updatedAt: now },
  ])
}

const writer: Writer<Audience> = {
  release: queries.releaseAudiences,
  remove: queries.deleteAudiences,
  insert: queries.insertAudiences,
  update: queries.updateAudience,
}

/** Writes a change of a project's audiences. The caller has checked it, and calls `touchConfig`. */
export const writeAudiences = (tx: Tx, projectId: string, changes: RowChanges<Audience>): Promise<void> =>
  writeRows(tx, projectId, writer, changes)
