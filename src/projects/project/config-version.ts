import type { Tx } from '../../base/context'
import { nextRevision, updateProject } from './queries'

/**
 * Moves a project's configuration version, inside the write that changes its keys, settings or catalogue; every
 * process then loads the project anew. Returns the version.
 */
export async function touchConfig(tx: Tx, projectId: string): Promise<number> {
  const configVersion = await nextRevision(tx)
  await updateProject(tx, projectId, { configVersion })
  tx.afterCommit(() => {
    tx.state.projects.forget(projectId)
    tx.state.keys.forget(projectId)
  })
  return configVersion
}

/** Everything that changes a project runs one after the other. */
export const lockProject = (tx: Tx, projectId: string): Promise<void> => tx.lock(`config:${projectId}`)
