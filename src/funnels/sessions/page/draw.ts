import type { Context } from '../../../base/context'
import { ownOrigin } from '../../../base/http/own-origin'
import { toIso } from '../../../base/lib/time'
import type { AnswerFault } from '../../../core/funnel/answers'
import type { Answers } from '../../../core/funnel/conditions-hold'
import type { FunnelPage } from '../../../core/funnel/model'
import { renderPage } from '../../../core/funnel/render/page'
import { wordsFor } from '../../../core/funnel/render/words'
import { givenSettings } from '../../../core/funnel/settings-form'
import { hasBlock } from '../../../core/funnel/walk'
import { countedAnswers, nextPage, pageById, progressAt } from '../../../core/funnel/way'
import { type ShownFiles, shownFiles } from '../../publication/files'
import { htmlBlockHash } from '../../publication/html-blocks'
import { answersOf } from '../counted'
import { currentPage } from '../current-page'
import { type FunnelOffer, offerOf, type PagePart } from '../hooks'
import type { PresentedSession } from '../presented'
import { animationScripts } from './animation'
import { htmlAnswer, policyOf } from './policy'
import { SCRIPT_PATH } from './script'

export interface Drawing {
  request: Request
  /** The secret of the session, for browsers that keep no cookie. */
  secret: string
  /** What a refused form has sent. */
  given?: Answers
  faults?: Readonly<Record<string, AnswerFault>>
  status?: number
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
}

/** The current page of a session as an answer. */
export async function sessionPage(ctx: Context, presented: PresentedSession, drawing: Drawing): Promise<Response> {
  const { session, document, project } = presented
  const { request, given = {}, status = 200, cookies = [] } = drawing
  const now = ctx.clock.now()
  const answers = await answersOf(ctx, session.id)
  const counted = countedAnswers(document.pages, session.path, { ...answers, ...given })
  const page = shownPage(presented, counted, toIso(now).slice(0, 10))
  const offer = await offerOf(ctx, project.id, document)
  const files = await shownFiles(ctx, project.id, { ...document, pages: [page] })
  const nonce = ctx.ids.token(22)
  const query = new URL(request.url).searchParams
  const parts: PagePart[] = []
  for (const draw of ctx.hooks.funnelPageParts ?? []) {
    const part = await draw(ctx, { ...presented, page, locale: session.locale, offer, query, nonce, request })
    if (part) parts.push(part)
  }
  const view = viewOf(presented, drawing, {
    page,
    answers: { ...answers, ...given, ...counted },
    offer,
    files,
    parts,
    nonce,
  })
  const permissions = parts.flatMap(({ permissions: own }) => own ?? [])
  return htmlAnswer(renderPage(view, toIso(now).slice(0, 10)), {
    status,
    policy: policyOf(nonce, ownOrigin(ctx, request), parts, hasBlock(page, 'video')),
    cookies,
    headers: { ...(permissions.length > 0 && { 'permissions-policy': permissions.join(', ') }) },
  })
}

/** After the last page, a closing page; the funnel may have none of its own. */
function shownPage({ session, document }: PresentedSession, answers: Answers, today: string): FunnelPage {
  const page = currentPage(document, session)
  const isEnd = session.completedAt !== null && page.type !== 'success'
  return isEnd && nextPage(document.pages, page, { answers, today }) === null ? endPage(session.locale) : page
}

const endPage = (locale: string): FunnelPage => ({
  id: '',
  type: 'success',
  title: { [locale]: wordsFor(locale).done },
  fields: [],
  next: { rules: [], default: null },
})

/** Where `html` blocks are served, each by its hash. */
export const BLOCK_PATH = '/f/-/block'

const blockAddress = ({ funnelId, versionNo }: PresentedSession['session'], source: string): string =>
  `${BLOCK_PATH}/${htmlBlockHash(source)}?${new URLSearchParams({ funnel: funnelId, version: String(versionNo) })}`

interface Seen {
  page: FunnelPage
  answers: Answers
  offer: FunnelOffer
  files: ShownFiles
  parts: readonly PagePart[]
  nonce: string
}

function viewOf(
  { session, document, funnel, project }: PresentedSession,
  { request, secret, faults = {} }: Drawing,
  { page, answers, offer, files, parts, nonce }: Seen,
) {
  const before = pageById(document.pages, session.path.at(-2) ?? '')
  const isBehindPayment = session.paidAt !== null && before?.type === 'payment'
  const { success } = document.settings
  const isLeaving = page.type === 'success' && success?.mode === 'redirect' && success.url !== undefined
  return {
    name: funnel.name,
    content: document,
    settings: givenSettings(document.settings, null),
    page,
    locale: session.locale,
    ...{ answers, query: session.query, prices: offer.prices },
    progress: page.type === 'success' ? 1 : progressAt(document.pages, session.path),
    canGoBack: session.path.length > 1 && page.id !== '' && !isBehindPayment,
    faults,
    form: {
      action: new URL(request.url).pathname,
      method: 'post' as const,
      hidden: { session: session.id, token: secret, page: page.id },
    },
    links: {
      ...{ terms: project.termsUrl, privacy: project.privacyUrl },
      asset: (id: string) => files.assets.get(id) ?? null,
      font: (id: string) => files.fonts.get(id) ?? null,
      frame: (source: string) => blockAddress(session, source),
    },
    ...{ nonce, isPreview: false, scripts: [SCRIPT_PATH, ...animationScripts(page)] },
    below: parts.map(({ html }) => html).join(''),
    hidesNext: parts.some((part) => part.hidesNext === true),
    ...parts.reduce<Pick<PagePart, 'enter'>>((found, { enter }) => (enter ? { enter } : found), {}),
    ...parts.reduce<Pick<PagePart, 'ways'>>((found, { ways }) => (ways ? { ways } : found), {}),
    chosenPackage: parts.find((part) => part.chosenPackage != null)?.chosenPackage ?? null,
    needsLoad: parts.some(({ policy }) => policy !== undefined),
    ...(isLeaving && success.url !== undefined && { leadsTo: success.url }),
  }
}
