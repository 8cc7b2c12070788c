import { conflict, type Edit } from '../../project/edit'
import { loadCurrent } from '../../project-file/load'
import type { SectionKey } from '../../project-file/model'
import { savedNames } from '../../project-file/rename'
import { sectionsOf } from '../../project-file/sections'

type UsedIn = Pick<Edit, 'tx' | 'projectId'>

interface User {
  kind: string
  name: string
}

/** What of the project refers to an object, by the rules of the project file. */
export async function findUsers({ tx, projectId }: UsedIn, key: SectionKey<unknown>, name: string): Promise<User[]> {
  const sections = sectionsOf(tx.hooks)
  const { rows } = await loadCurrent(tx, projectId, sections)
  const names = savedNames(sections, rows)
  return sections.flatMap((section) =>
    section.current(rows.get(section.key.name), names).flatMap(({ name: user, state }) => {
      const uses = section.uses?.(state) ?? []
      const isUser = uses.some((use) => use.of.name === key.name && use.names.includes(name))
      return isUser ? [{ kind: section.key.kind, name: user }] : []
    }),
  )
}

/** 409 `CONFLICT` when something refers to the object, which names the first such object. */
export async function refuseUsed(edit: UsedIn, key: SectionKey<unknown>, name: string): Promise<void> {
  const [user] = await findUsers(edit, key, name)
  if (user) throw conflict(`${key.kind} ${name} cannot be deleted: ${user.kind} ${user.name} uses it`)
}
