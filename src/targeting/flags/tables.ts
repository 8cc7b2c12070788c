import type { Kit } from '../../base/db/kit'
import type { FlagEnvironment, FlagType } from '../../core/flag/names'
import type { FlagRule } from '../../core/flag/schema'

export const flagTables = (k: Kit) => ({
  /** One row for each key and environment. */
  flags: k.table(
    'flags',
    {
      id: k.str().primaryKey(),
      projectId: k.str().notNull(),
      key: k.str().notNull(),
      env: k.str().$type<FlagEnvironment>().notNull(),
      type: k.str().$type<FlagType>().notNull(),
      description: k.str(),
      isEnabled: k.bool().notNull(),
      defaultValue: k.json<unknown>().notNull(),
      rules: k.json<FlagRule[]>().notNull(),
      createdAt: k.int().notNull(),
      updatedAt: k.int().notNull(),
    },
    (t) => [k.unique('flags_key').on(t.projectId, t.key, t.env)],
  ),
})

type FlagTables = ReturnType<typeof flagTables>

declare module '../../base/db/tables' {
  interface Tables extends FlagTables {}
}
