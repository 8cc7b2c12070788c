import type { Context } from '../../base/context'
import { AppError, notFound } from '../../base/errors'
import { callerAddress, factsOf } from '../../base/http/request'
import { escapeHtml } from '../../core/funnel/render/escape'
import { findAppLinks } from './app-links/queries'
import { rememberOpening } from './install'
import { claimPage, pageAnswer, refusalPage } from './page'
import { findSession } from './paid'
import { qrCode } from './qr'
import { findAnyToken } from './queries'
import { deepLink, openUrls } from './service'
import { hashOf } from './token'
import { storesOf, withReferrer } from './ways'
import { type Language, languageFor, wordsOf } from './words'

/**
 * The page behind a link to the app, on a device where the app is not installed: a phone opens its store, with the
 * token where the store hands it over; other devices show how to come to the app on a phone.
 */
export async function openLink(ctx: Context, token: string, request: Request): Promise<Response> {
  const row = await findAnyToken(ctx, hashOf(token))
  const session = row && (await findSession(ctx, row.projectId, row.sessionId))
  if (!session) return ended(ctx, request, notFound('funnel token'))
  if (row.expiresAt <= ctx.clock.now())
    return ended(ctx, request, new AppError('HTTP_ERROR', undefined, { status: 410, message: EXPIRED }))
  const links = await findAppLinks(ctx, row.projectId)
  const device = deviceOf(request.headers.get('user-agent') ?? '')
  if (device === 'android' && links?.android?.storeUrl)
    return redirect(withReferrer(links.android.storeUrl, `svc_funnel_token=${token}`))
  if (device === 'ios') {
    const address = callerAddress(ctx, request, factsOf(request))
    await rememberOpening(ctx, session, { address, languages: request.headers.get('accept-language') })
    if (links?.ios?.storeUrl) return redirect(links.ios.storeUrl)
  }
  const nonce = ctx.ids.token(22)
  const language = languageFor(session.locale)
  const body = await appButtons(ctx, { projectId: row.projectId, token, language, request })
  return pageAnswer(claimPage({ language, title: wordsOf(language).openApp, body, nonce }), nonce)
}

const EXPIRED = 'The token has expired; ask for a new one with the e-mail address of the purchase'

const ended = (ctx: Context, request: Request, refusal: AppError): Response =>
  refusalPage(ctx, request, { refusal, ...wordsOf(languageFor(request.headers.get('accept-language'))).linkEnded })

const redirect = (location: string): Response =>
  new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })

export function deviceOf(userAgent: string): 'ios' | 'android' | 'other' {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  return /Android/.test(userAgent) ? 'android' : 'other'
}

interface Opening {
  projectId: string
  token: string
  language: Language
  request: Request
}

/** How to come into the app with a token: the button, the stores, and a code for a phone. Without an app: the token. */
export async function appButtons(ctx: Context, { projectId, token, language, request }: Opening): Promise<string> {
  const words = wordsOf(language)
  const urls = await openUrls(ctx, { id: projectId }, token)
  if (urls.deep_link_url === null || urls.universal_link_url === null)
    return `<p>${escapeHtml(words.noApp)}</p><p><code>${escapeHtml(token)}</code></p>`
  const links = await findAppLinks(ctx, projectId)
  const device = deviceOf(request.headers.get('user-agent') ?? '')
  const app = device === 'other' ? null : links?.[device]
  const appUrl = app ? deepLink(app, token) : urls.deep_link_url
  return [
    `<p><a class="button" href="${escapeHtml(appUrl)}">${escapeHtml(words.openApp)}</a></p>`,
    `<p>${escapeHtml(words.openAppOnPhone)}</p>${qrCode(urls.universal_link_url, words.openApp)}`,
    ...storesOf(links, token, words).map(
      ({ label, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`,
    ),
  ].join('')
}
