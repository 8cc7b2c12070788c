import { useRead } from '../../api/queries'
import { nameOf } from '../../lib/intent'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** The name of the person that an intent names: by the id of a member, or as the server gives it. Null if it names none. */
export function useWho(): (who: unknown) => string | null {
  const c = useText('common')
  const { path } = useProject()
  const members = useRead('/dashboard/projects/{projectId}/members', { params: { path, query: { limit: 200 } } })
  return (who) => {
    const name = nameOf(who)
    if (name === null || !name.startsWith('usr_')) return name
    const member = members.data?.items.find(({ userId }) => userId === name)
    return member ? member.name || member.email : c.somebody
  }
}
