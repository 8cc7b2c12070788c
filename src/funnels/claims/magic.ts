import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { isForeignForm } from '../../base/http/own-origin'
import { escapeHtml } from '../../core/funnel/render/escape'
import type { ProjectState } from '../../projects/project/state'
import { productName } from './app-mail'
import type { LinkPurpose } from './model'
import { appButtons } from './open'
import { claimPage, pageAnswer, refusalPage } from './page'
import { findSession, paymentsOf } from './paid'
import { findLink } from './queries-links'
import { issueToken } from './service'
import { hashOf } from './token'
import { useLink } from './use-link'
import { languageFor, wordsOf } from './words'

const PURPOSES: readonly LinkPurpose[] = ['APP', 'APP_MORE']

/** The page of a link in a mail: a button, because programs that scan mail open links. */
export async function showMagic(ctx: Context, nonce: string, request: Request): Promise<Response> {
  const link = await findLink(ctx, hashOf(nonce))
  const isLive = link && PURPOSES.includes(link.purpose) && link.usedAt === null && link.expiresAt > ctx.clock.now()
  if (!isLive) return gone(ctx, request)
  const { project, session, name } = await subjectOf(ctx, link)
  if (!project || !session) return gone(ctx, request)
  const language = languageFor(session.locale)
  const { magic, openApp } = wordsOf(language)
  const style = ctx.ids.token(22)
  const body = `<p><strong>${escapeHtml(name)}</strong></p><p>${escapeHtml(magic.text)}</p><form method="post"><button>${escapeHtml(openApp)}</button></form>`
  return pageAnswer(claimPage({ language, title: magic.title, body, nonce: style }), style)
}

/**
 * Spends the link: makes the token of the purchase and shows the ways into the app. It does not lead there by itself,
 * because on a phone without the app nothing would be left then.
 */
export async function spendMagic(ctx: Context, nonce: string, request: Request): Promise<Response> {
  const isForeign = isForeignForm(ctx, request, { isHidden: true })
  if (isForeign) return refused(ctx, request)
  const spent = await ctx.write(async (tx) => {
    const link = await useLink(tx, { hash: hashOf(nonce), purposes: PURPOSES, at: tx.clock.now() })
    if (!link?.sessionId) return null
    const { projectId, sessionId } = link
    return { link, token: await issueToken(tx, { projectId, sessionId }, 'MAIL') }
  })
  if (!spent) return gone(ctx, request)
  const { link, token } = spent
  const session = await findSession(ctx, link.projectId, link.sessionId ?? '')
  const language = languageFor(session?.locale ?? null)
  const body = await appButtons(ctx, { projectId: link.projectId, token, language, request })
  const style = ctx.ids.token(22)
  const page = claimPage({ language, title: wordsOf(language).magic.title, body, nonce: style })
  return pageAnswer(page, style)
}

const refused = (ctx: Context, request: Request): Response => {
  const language = languageFor(request.headers.get('accept-language'))
  const refusal = new AppError('FORBIDDEN', undefined, { message: 'The form of another site cannot spend the link' })
  const { title } = wordsOf(language).magic
  return refusalPage(ctx, request, { refusal, title, text: wordsOf(language).foreign })
}

/** A used, ended or unknown link. */
const gone = (ctx: Context, request: Request): Response => {
  const { magic } = wordsOf(languageFor(request.headers.get('accept-language')))
  const message = 'This link was used or has ended; ask for a new one with the address of the purchase'
  return refusalPage(ctx, request, {
    refusal: new AppError('HTTP_ERROR', undefined, { status: 410, message }),
    title: magic.ended,
    text: magic.endedText,
  })
}

async function subjectOf(ctx: Context, link: { projectId: string; sessionId: string | null }) {
  const project: ProjectState | null = await ctx.state.projects.find(link.projectId)
  const session = await findSession(ctx, link.projectId, link.sessionId ?? '')
  const payment = session && (await paymentsOf(ctx).paymentOf(ctx, session.id))
  const name = project && payment ? productName(project, payment.productId) : ''
  return { project, session, name }
}
