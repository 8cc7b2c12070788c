import type { Handle } from '../../base/db/handle'
import { findProject } from '../../projects/project/service'
import type { AssetReference } from './hooks'

/** The project itself shows its logo. */
export async function logoUsers(handle: Handle, projectId: string): Promise<AssetReference[]> {
  const project = await findProject(handle, projectId)
  if (!project || project.logoAssetId === null) return []
  const { id, name, logoAssetId: assetId } = project
  return [{ assetId, kind: 'project', id, name, state: 'live', paths: ['logoAssetId'] }]
}
