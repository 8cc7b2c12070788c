import type { Context } from '../../../base/context'
import { ownOrigin } from '../../../base/http/own-origin'
import type { AppLinks } from '../../../core/app-links/model'
import { domainOfRequest } from '../../domains/service'
import { OPEN_PATH } from '../service'
import { findAppLinks, listAppLinks } from './queries'

export const APPLE_FILE = '/.well-known/apple-app-site-association'
export const ANDROID_FILE = '/.well-known/assetlinks.json'
export const APPLE_PAY_FILE = '/.well-known/apple-developer-merchantid-domain-association'

/** What iOS reads to open links to this host in an app; null while no project has saved one. */
export function appleFile(all: readonly AppLinks[]) {
  const appIDs = all.flatMap(({ ios }) => (ios ? ios.bundleIds.map((bundleId) => `${ios.teamId}.${bundleId}`) : []))
  if (appIDs.length === 0) return null
  const components = [{ '/': `${OPEN_PATH}/*`, comment: 'The link of a paid funnel to the app' }]
  return { applinks: { details: [{ appIDs: [...new Set(appIDs)], components }] } }
}

/** What Android reads to open links to this host in an app; null while no project has saved one. */
export function androidFile(all: readonly AppLinks[]) {
  const apps = all.flatMap(({ android }) =>
    (android?.packageNames ?? []).map((packageName) => ({
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: packageName,
        sha256_cert_fingerprints: android?.sha256Fingerprints ?? [],
      },
    })),
  )
  return apps.length === 0 ? null : apps
}

/**
 * On the deployment's own host the files list the apps of all projects (funnels 11); on a custom domain those of its
 * project, and on every other host none.
 */
export async function answerFile(
  ctx: Context,
  request: Request,
  make: (all: readonly AppLinks[]) => object | null,
): Promise<Response> {
  const content = make(await linksHere(ctx, request))
  return new Response(JSON.stringify(content ?? {}), {
    status: content ? 200 : 404,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
  })
}

/**
 * The text with which Apple checks that this host may show Apple Pay: on a custom domain that of its project. The own host
 * belongs to all projects and can have only one: that of the oldest project that has saved one.
 */
export async function answerApplePayFile(ctx: Context, request: Request): Promise<Response> {
  const all = await linksHere(ctx, request)
  const text = all.find(({ applePayAssociation }) => applePayAssociation !== null)?.applePayAssociation ?? null
  return new Response(text ?? '', {
    status: text === null ? 404 : 200,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    },
  })
}

async function linksHere(ctx: Context, request: Request): Promise<AppLinks[]> {
  const domain = await domainOfRequest(ctx, request)
  if (!domain) return isOwnHost(ctx, request) ? listAppLinks(ctx) : []
  const project = await ctx.state.projects.find(domain.projectId)
  const links = project && (await findAppLinks(ctx, project.id))
  return links ? [links] : []
}

/** Without a public address every host that leads here is the own one. */
const isOwnHost = (ctx: Context, request: Request): boolean =>
  ctx.config.publicBaseUrl === null || new URL(ownOrigin(ctx, request)).host === new URL(request.url).host
