import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { read } from '../../api/client'
import { useRefresh } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { useProject, useSession } from '../../lib/session'
import { makeStore } from '../../lib/store'
import { isOfPath, renamedIn } from './project-draft'

interface Made {
  projectId: string
  userId: string
  secrets: Schemas['ProjectFileSecret'][]
}

const made = makeStore<Made | null>(null)

/**
 * The secrets that a file has made, until the person has stored them. They are kept outside of the screen: a file can
 * rename the project, and the screen has another address then.
 */
export function useMadeSecrets() {
  const { project } = useProject()
  const { me } = useSession()
  const held = made.use()
  const isHere = held?.projectId === project.id && held.userId === me.id
  return {
    secrets: isHere ? held.secrets : [],
    keep: (secrets: Made['secrets']) => made.set({ projectId: project.id, userId: me.id, secrets }),
    forget: () => made.set(null),
  }
}

/** Reads everything again that a file can have changed, at the address that the project has now. */
export function useReadApplied(): () => Promise<void> {
  const { project, path } = useProject()
  const client = useQueryClient()
  const refresh = useRefresh()
  const [, go] = useLocation()
  return async () => {
    const now = await read('/dashboard/projects/{projectId}', { params: { path } }).catch(() => project)
    if (now.slug !== project.slug) {
      client.setQueriesData({ predicate: isOfPath('/dashboard/projects') }, renamedIn(now))
      go(`/p/${now.slug}/settings/project-file${location.search}`, { replace: true })
    }
    refresh('/dashboard/projects')
  }
}
