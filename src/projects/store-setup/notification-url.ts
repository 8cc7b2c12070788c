import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { urlFault } from '../../base/lib/outgoing-url'
import type {
  ConnectClient,
  ConnectFailure,
  ConnectResult,
  NotificationEnvironment,
} from '../../stores/ios/connect-client'
import type { App } from '../../stores/ios/connect-shapes'
import { editProject, type ProjectActor } from '../project/edit'
import type { ProjectState } from '../project/state'
import { findSettings } from './edit-store'
import { connectClient, connectFault, isRoleTooLow, savedKey } from './ios-clients'

const ENVIRONMENTS: readonly NotificationEnvironment[] = ['production', 'sandbox']

/** The address that is saved at the store for one environment. */
interface Saved {
  current: string | null
  /** Whether it is ours, with notifications of version 2. */
  matches: boolean
}

export interface NotificationUrls {
  /** Ours; null while the deployment has no public address. */
  url: string | null
  production: Saved
  sandbox: Saved
}

const ownUrl = ({ config }: Context, projectId: string): string | null =>
  config.publicBaseUrl === null ? null : `${config.publicBaseUrl}/webhooks/ios/${projectId}`

/** The addresses to which the App Store sends notifications of the project's app. */
export async function readNotificationUrls(ctx: Context, project: ProjectState): Promise<NotificationUrls> {
  const url = ownUrl(ctx, project.id)
  const { app } = await requireApp(ctx, project)
  const [production, sandbox] = ENVIRONMENTS.map((environment) => savedOf(app, environment, url))
  const none = { current: null, matches: false }
  return { url, production: production ?? none, sandbox: sandbox ?? none }
}

export interface UrlOrder {
  environment: NotificationEnvironment | 'both'
  replaceExisting: boolean
}

export interface Applied {
  environment: NotificationEnvironment
  previous: string | null
  current: string
}

/** Sets our address at the store, with one audit row when something changed there. */
export async function setNotificationUrl(
  ctx: Context,
  by: ProjectActor,
  project: ProjectState,
  { environment, replaceExisting }: UrlOrder,
): Promise<{ url: string; applied: Applied[] }> {
  const url = requirePublicUrl(ctx, project.id)
  const { client, app } = await requireApp(ctx, project)
  const wanted = environment === 'both' ? ENVIRONMENTS : [environment]
  const applied = wanted.map((one) => ({ environment: one, previous: savedOf(app, one, url).current, current: url }))
  if (!replaceExisting) refuseOther(ctx, applied, url)
  const missing = wanted.filter((one) => !savedOf(app, one, url).matches)
  if (missing.length === 0) return { url, applied }
  const result = await client.setNotificationUrl(app.id, url, missing)
  if (!result.ok) throw setFault(result, url)
  await recordChange(
    ctx,
    by,
    applied.filter(({ environment: one }) => missing.includes(one)),
  )
  return { url, applied }
}

function requirePublicUrl(ctx: Context, projectId: string): string {
  const url = ownUrl(ctx, projectId)
  if (url !== null && urlFault(url, { isLoopbackAllowed: false }) === null) return url
  throw new AppError('STORE_NOTIFICATION_URL_NOT_PUBLIC', { url })
}

async function requireApp(ctx: Context, { id, ios }: ProjectState): Promise<{ client: ConnectClient; app: App }> {
  const key = savedKey(await findSettings(ctx, id, 'ios'), 'storeConnectKey')
  if (!ios || !key) throw new AppError('STORE_KEY_MISSING', { key: 'storeConnect' })
  const client = connectClient(ctx, key)
  const found = await client.findApp(ios.bundleId)
  if (!found.ok) throw keyFault(found)
  if (!found.value) throw new AppError('STORE_API_ERROR', undefined, { message: NO_APP })
  return { client, app: found.value }
}

const NO_APP = 'The store-connect key finds no app of the saved bundle id'

const keyFault = (failure: ConnectFailure): AppError =>
  isRoleTooLow(failure) ? new AppError('STORE_KEY_INSUFFICIENT_ROLE', { key: 'storeConnect' }) : connectFault(failure)

/** A refusal of the change itself; 401 and 404 are faults of the key or the app. */
function setFault(failure: Extract<ConnectResult<App>, { ok: false }>, url: string): AppError {
  const isRefused = failure.kind === 'rejected' && [400, 409, 422].includes(failure.status)
  if (!isRefused) return keyFault(failure)
  return new AppError('STORE_NOTIFICATION_URL_REJECTED', { url, storeMessage: failure.detail ?? failure.code })
}

function savedOf({ attributes }: App, environment: NotificationEnvironment, url: string | null): Saved {
  const isProduction = environment === 'production'
  const current = (isProduction ? attributes.subscriptionStatusUrl : attributes.subscriptionStatusUrlForSandbox) ?? null
  const version = isProduction
    ? attributes.subscriptionStatusUrlVersion
    : attributes.subscriptionStatusUrlVersionForSandbox
  return { current, matches: current !== null && current === url && version?.toUpperCase() === 'V2' }
}

function refuseOther(ctx: Context, applied: readonly Applied[], url: string): void {
  const other = applied.find(({ previous }) => previous !== null && previous !== '' && previous !== url)
  if (!other) return
  const isOurs = other.previous?.startsWith(`${ctx.config.publicBaseUrl}/webhooks/ios/`) ?? false
  throw new AppError('STORE_NOTIFICATION_URL_IN_USE', { current: other.previous, otherServiceProject: isOurs })
}

/** The change was made at the store, so it has a name of its own and leaves the revision of the credentials alone. */
const recordChange = (ctx: Context, by: ProjectActor, applied: readonly Applied[]): Promise<void> =>
  editProject(ctx, by, async ({ entries }) => {
    const image = (member: 'previous' | 'current') =>
      Object.fromEntries(applied.map((one) => [one.environment, one[member]]))
    entries.push({
      action: 'notificationUrl.update',
      target: { type: 'notificationUrl', id: 'ios/notification-url' },
      before: image('previous'),
      after: image('current'),
    })
  })
