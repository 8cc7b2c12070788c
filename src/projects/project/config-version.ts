import type { Tx } from '../../base/context'
import { nextRevision, updateProject } from './queries'

/**
 * Raises the configuration version of a project. Called in the transaction that changes its keys, settings or
 * catalogue; every process then loads the project again. Returns the new version.
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

/** Takes the lock under which all changes of a project run, one after another. */
export const lockProject = (tx: Tx, projectId: string): Promise<void> => tx.lock(`config:${projectId}`)
