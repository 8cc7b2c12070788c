import type { Context } from '../../../base/context'
import { notFound } from '../../../base/errors'
import { findProjectByRef } from '../../../projects/project/service'
import type { ProjectState } from '../../../projects/project/state'
import { claimPage, pageAnswer } from '../page'
import { countVisit } from '../public-routes'
import { type Language, languageFor } from '../words'
import { type BuyerWords, buyerWords } from './words'

/** A call of the buyer's page. */
export interface PageCall {
  ctx: Context
  project: ProjectState
  request: Request
  language: Language
  words: BuyerWords
}

export interface Received {
  request: Request
  params: Record<string, string | undefined>
  set: { headers: Record<string, string | number> }
}

/** 404 where the project is not there, 429 for too many calls of an address. */
export async function pageCall(ctx: Context, { request, params, set }: Received): Promise<PageCall> {
  await countVisit(ctx, { request, set })
  const row = await findProjectByRef(ctx, String(params.project))
  const project = row && (await ctx.state.projects.find(row.id))
  const host = ctx.state.customHosts.at(request.url)
  if (!project || (host && host.projectId !== project.id)) throw notFound('project', String(params.project))
  const language = languageFor(request.headers.get('accept-language'))
  return { ctx, project, request, language, words: buyerWords(language) }
}

/** A page with this content. */
export function answerPage(
  { ctx, project, request, language, words }: PageCall,
  body: string,
  options: Parameters<typeof pageAnswer>[2] = {},
): Response {
  // Browsers send `Origin: null` with a form when its page has `Referrer-Policy: no-referrer`.
  const isSecret = new URL(request.url).searchParams.has('token')
  const headers = { 'referrer-policy': isSecret ? 'no-referrer' : 'same-origin' }
  const nonce = ctx.ids.token(22)
  return pageAnswer(claimPage({ language, title: words.title(project.name), body, nonce }), nonce, {
    headers,
    ...options,
  })
}

export const goTo = (location: string, headers: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
  })
