import type { Context } from '../../../base/context'
import { AppError, notFound } from '../../../base/errors'
import { ownOrigin } from '../../../base/http/own-origin'
import { isCleanText, pathOf } from '../../../base/http/request'
import { renderNotice } from '../../../core/funnel/render/page'
import { wordsFor } from '../../../core/funnel/render/words'
import { visitorOf } from '../visitor'
import { htmlAnswer, policyOf } from './policy'

/**
 * Runs a handler of a page. A refusal becomes a page in the language of the visitor. A path that is no UTF-8 names nothing:
 * the router gives null for such a parameter.
 */
export async function orNotice(ctx: Context, request: Request, handle: () => Promise<Response>): Promise<Response> {
  try {
    const path = pathOf(request.url)
    if (!isCleanText(path)) throw notFound('path', path)
    return await handle()
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return noticeOf(ctx, request, error)
    if (error instanceof AppError && error.refusal !== 'INTERNAL_ERROR') return noticeOf(ctx, request, error)
    throw error
  }
}

function noticeOf(ctx: Context, request: Request, { status, retryAfter }: AppError): Response {
  const locale = visitorOf(ctx, request).language ?? 'en'
  const words = wordsFor(locale)
  const notice = status === 404 ? words.missing : status === 429 ? words.busy : words.trouble
  const nonce = ctx.ids.token(22)
  return htmlAnswer(renderNotice(notice, locale, nonce), {
    status,
    policy: policyOf(nonce, ownOrigin(ctx, request), []),
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  })
}
