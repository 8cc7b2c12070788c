import { Type } from '@sinclair/typebox'
import type { ProjectApi } from '../../projects/project/project-api'
import { CredentialsView } from '../../projects/store-setup/credentials-view'
import type { StoreName } from '../../projects/store-setup/model'

/** A newer server may answer more, and after a change it also names the keys that were tried. */
const Credentials = Type.Omit(CredentialsView, [], { additionalProperties: true })

/** The saved credentials of all stores, without anything secret. */
export const getCredentials = (project: ProjectApi): Promise<CredentialsView> =>
  project.call('GET', ['credentials'], { data: Credentials })

/** Saves the credentials of a store. Its keys are tried at the store first, unless the options say no. */
export const putCredentials = (
  project: ProjectApi,
  store: StoreName,
  body: object,
  isUntried: boolean | undefined,
): Promise<CredentialsView> => {
  const query = { probe: isUntried === true ? 'false' : undefined }
  return project.call('PUT', ['credentials', store], { data: Credentials, query, body })
}
