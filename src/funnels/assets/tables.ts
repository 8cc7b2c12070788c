import type { Kit } from '../../base/db/kit'
import type { AssetKind } from '../../core/funnel/files'
import type { LocalText } from '../../core/funnel/model'

export const assetTables = (k: Kit) => ({
  /** Files that funnels show. The bytes are in the blob store, below the folder of the row. */
  assets: k.table(
    'assets',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      kind: k.str().$type<AssetKind>().notNull(),
      contentType: k.str().notNull(),
      /** The first half of the SHA-256 of the bytes that are served, in hex. */
      hash: k.str().notNull(),
      /** Of the largest form. */
      bytes: k.int().notNull(),
      /** Of all forms together; they count for the storage of the project. */
      storedBytes: k.int().notNull(),
      /** In pixels; null = not known. */
      width: k.int(),
      height: k.int(),
      /** Widths of the smaller forms of a picture. */
      widths: k.json<number[]>().notNull(),
      alt: k.json<LocalText>().notNull(),
      source: k.json<AssetSource>().notNull(),
      uploadedBy: k.json<{ id: string | null; email: string | null }>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.index('assets_project').on(t.projectId, t.id)],
  ),
})

/** What was uploaded. */
export interface AssetSource {
  format: string
  bytes: number
  /** Whether it had a place, a camera or other data about the picture; they are removed. */
  hadMetadata: boolean
}

type AssetTables = ReturnType<typeof assetTables>

declare module '../../base/db/tables' {
  interface Tables extends AssetTables {}
}
