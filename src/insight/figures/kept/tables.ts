import type { Kit } from '../../../base/db/kit'

/** Answers that were slow to compute. All of them can be computed again from the entries. */
export const keptTables = (k: Kit) => ({
  figureAnswers: k.table(
    'figure_answers',
    {
      projectId: k.str().notNull(),
      /** The question with its scope. */
      name: k.str().notNull(),
      start: k.int().notNull(),
      end: k.int().notNull(),
      /** Of the last entry and the last change of an owner that count. */
      position: k.int().notNull(),
      moved: k.int().notNull(),
      computedAt: k.int().notNull(),
      /** JSON. */
      answer: k.str().notNull(),
    },
    (t) => [
      k.primaryKey({ columns: [t.projectId, t.name, t.start, t.end] }),
      k.index('figure_answers_computed').on(t.computedAt),
    ],
  ),
})

type KeptTables = ReturnType<typeof keptTables>

declare module '../../../base/db/tables' {
  interface Tables extends KeptTables {}
}
