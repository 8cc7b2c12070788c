import type { Kit } from '../../base/db/kit'
import type { FontStyle } from '../../core/funnel/files'
import type { FontFormat } from './sfnt'

export const fontTables = (k: Kit) => ({
  fontFamilies: k.table(
    'font_families',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      name: k.str().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('font_families_name').on(t.projectId, t.name)],
  ),

  /** One weight and style of a family. The bytes are in the blob store, below the folder of the row. */
  fontFaces: k.table(
    'font_faces',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      familyId: k.str().notNull(),
      weight: k.int().notNull(),
      style: k.str().$type<FontStyle>().notNull(),
      /** Of the file that was uploaded. */
      format: k.str().$type<FontFormat>().notNull(),
      /** SHA-256 of the file that was uploaded, in hex. */
      contentHash: k.str().notNull(),
      bytes: k.int().notNull(),
      /** Of the WOFF2 that is made of it. */
      woff2Bytes: k.int().notNull(),
      /** Of the WOFF2 with Latin letters only; null = the licence of the font forbids a part of it. */
      latinBytes: k.int(),
      createdAt: k.int().notNull(),
    },
    (t) => [
      k.unique('font_faces_look').on(t.familyId, t.weight, t.style),
      k.index('font_faces_project').on(t.projectId),
    ],
  ),
})

type FontTables = ReturnType<typeof fontTables>

declare module '../../base/db/tables' {
  interface Tables extends FontTables {}
}
