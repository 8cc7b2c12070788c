import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { outsideClock } from '../../base/lib/clock'
import { GOOGLE_TOKEN_URL } from '../../stores/android/access-token'
import { GOOGLE_API_URL, PlayClient } from '../../stores/android/client'
import { GOOGLE_KEYS_URL, GoogleKeys } from '../../stores/android/google-keys'
import { readServiceAccount } from '../../stores/android/service-account'
import { isSimulatedToken } from '../../stores/test-keys/ids'
import type { ProjectState } from '../project/state'
import { ClientCache } from './client-cache'
import { loadStoreSettings } from './credentials'
import { noteOrders } from './order-permission'

/** What one process keeps in memory for the Android store: a client for each project, and Google's keys. */
export interface AndroidParts {
  clients: ClientCache<SavedCredentials, PlayClient>
  keys: GoogleKeys | null
}

export const createAndroidParts = (ctx: Context): AndroidParts => ({
  clients: new ClientCache(
    (project) => readCredentials(ctx, project),
    (saved, { id }) => newClient(ctx, id, saved),
  ),
  keys: null,
})

/**
 * The project's client for the Play Developer API; 400 `STORE_NOT_CONFIGURED` without usable credentials. A purchase of
 * the test store needs no credentials: pass its token or order as `tokenOrOrder`.
 */
export async function androidClient(
  ctx: Context,
  project: ProjectState,
  tokenOrOrder: string | null = null,
): Promise<PlayClient> {
  const client = await ctx.state.androidParts().clients.get(project)
  const isSimulated = tokenOrOrder !== null && isSimulatedPlay(ctx, tokenOrOrder)
  if (!client.hasAccount && !isSimulated) throw new AppError('STORE_NOT_CONFIGURED')
  return client
}

/** Whether the test store is on and a purchase token or order belongs to it. */
export const isSimulatedPlay = ({ config }: Context, tokenOrOrder: string): boolean =>
  config.isSimulatorOn && isSimulatedToken(tokenOrOrder)

/** The package name of a project's purchases. A project without an Android app has only purchases of the test store. */
export const packageNameOf = ({ android }: ProjectState): string => android?.packageName ?? 'svc.simulated'

interface SavedCredentials {
  packageName: string
  /** Null when the project has no app, or no key of its service account. */
  serviceAccount: string | null
}

async function readCredentials(ctx: Context, project: ProjectState): Promise<SavedCredentials> {
  const saved = (await loadStoreSettings(ctx, ctx.vault, project.id)).get('android')
  const serviceAccount = saved?.secrets?.serviceAccount ?? null
  return { packageName: packageNameOf(project), serviceAccount: project.android ? serviceAccount : null }
}

function newClient(ctx: Context, projectId: string, { packageName, serviceAccount }: SavedCredentials): PlayClient {
  const { config, clock, circuits } = ctx
  const result = serviceAccount === null ? null : readServiceAccount(serviceAccount)
  const account = result?.ok ? result.account : null
  const { android, androidToken } = config.storeUrls
  const urls = { apiUrl: android ?? GOOGLE_API_URL, tokenUrl: androidToken ?? GOOGLE_TOKEN_URL }
  const simulator = ctx.state.testStores.android(projectId)
  const client = new PlayClient({
    ...{ account, packageName, ...urls, clock, tokenClock: outsideClock(ctx), simulator },
    onOrders: (isRefused) => noteOrders(ctx, projectId, isRefused),
  })
  if (account) circuits.put(projectId, { store: 'ANDROID_STORE', isSandbox: false, circuit: client.circuit })
  return client
}

/** The keys that verify push tokens. A replacement for Google's token endpoint publishes its own keys at `/certs`. */
export function googleKeys(ctx: Context): GoogleKeys {
  const parts = ctx.state.androidParts()
  const { androidToken } = ctx.config.storeUrls
  const url = androidToken === null ? GOOGLE_KEYS_URL : new URL('/certs', androidToken).href
  parts.keys ??= new GoogleKeys({ url, clock: ctx.clock })
  return parts.keys
}
