import type { Kit } from '../db/kit'

export const unsettledTables = (k: Kit) => ({
  /**
   * Folders of blobs that no row refers to: files of an upload that has not ended, and files of deleted rows.
   * What stays here after a crash is removed by a sweep.
   */
  unsettledFiles: k.table('unsettled_files', { folder: k.str().primaryKey(), createdAt: k.int().notNull() }, (t) => [
    k.index('unsettled_files_created').on(t.createdAt),
  ]),
})

type UnsettledTables = ReturnType<typeof unsettledTables>

declare module '../db/tables' {
  interface Tables extends UnsettledTables {}
}
