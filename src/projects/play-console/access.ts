import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { GOOGLE_TOKEN_URL } from '../../stores/android/access-token'
import { PUBSUB_API_URL, PubSubClient, type PushTarget } from '../../stores/android/pubsub-client'
import { readServiceAccount } from '../../stores/android/service-account'
import { loadStoreSettings } from '../connections/credentials'
import { endpointFault, pushEndpoint } from '../connections/push-endpoint'
import { type CloudProject, cloudProjectOf } from './names'
import { credentialsInvalid } from './refusals'

/** The saved Android credentials of a project, ready for calls to Pub/Sub. */
export interface PubSubAccess {
  client: PubSubClient
  clientEmail: string
  packageName: string
  cloudProject: CloudProject
}

/** Null without usable credentials. */
export async function findAccess(ctx: Context, projectId: string): Promise<PubSubAccess | null> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, projectId)).get('android')
  const { packageName } = saved?.config ?? {}
  const text = saved?.secrets?.serviceAccount
  if (typeof packageName !== 'string' || text === undefined) return null
  const result = readServiceAccount(text)
  if (!result.ok) return null
  const { config, clock } = ctx
  const { account } = result
  const apiUrl = config.storeUrls.pubsub ?? PUBSUB_API_URL
  const tokenUrl = config.storeUrls.androidToken ?? GOOGLE_TOKEN_URL
  const circuit = ctx.state.playConsole.pubsubCircuit
  const client = new PubSubClient({ account, apiUrl, tokenUrl, clock, circuit })
  // `readServiceAccount` has parsed the same text.
  const cloudProject = cloudProjectOf(JSON.parse(text) as Record<string, unknown>)
  return { client, clientEmail: account.clientEmail, packageName, cloudProject }
}

/** 400 `STORE_NOT_CONFIGURED` without usable credentials. */
export async function requireAccess(ctx: Context, projectId: string): Promise<PubSubAccess> {
  const access = await findAccess(ctx, projectId)
  if (!access) throw new AppError('STORE_NOT_CONFIGURED')
  return access
}

/** 400 `PUBSUB_ENDPOINT_NOT_HTTPS` when Google could not push to this deployment. */
export function requireEndpoint(ctx: Context, projectId: string): string {
  const url = pushEndpoint(ctx, projectId)
  const reason = endpointFault(url)
  if (reason === null && url !== null) return url
  const endpointScheme = URL.parse(url ?? '')?.protocol.replace(/:$/, '') ?? null
  throw new AppError('PUBSUB_ENDPOINT_NOT_HTTPS', { url, reason, endpointScheme })
}

export const targetOf = ({ clientEmail }: PubSubAccess, endpoint: string): PushTarget => ({
  endpoint,
  serviceAccount: clientEmail,
})

/** The id of the cloud project; 400 `STORE_CREDENTIALS_INVALID` when the service account names none that can be used. */
export function requireCloudProject({ cloudProject }: PubSubAccess): string {
  if (!cloudProject.ok) throw credentialsInvalid('serviceAccount', cloudProject.reason)
  return cloudProject.id
}
