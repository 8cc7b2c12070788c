import { Elysia } from 'elysia'
import type { Context } from '../../../base/context'
import { isForeignForm } from '../../../base/http/own-origin'
import { factsOf } from '../../../base/http/request'
import { escapeHtml } from '../../../core/funnel/render/escape'
import { isMailAddress } from '../../../core/text/addresses'
import { readBody } from '../../../operators/mail/read-body'
import type { ProjectState } from '../../../projects/project/state'
import { requestMail } from '../email-claim'
import { askForData, type BuyerCall, changeRenewal, findBought, type Outcome } from './actions'
import { listBought } from './holdings'
import { pagePath } from './mail'
import { askForm, enterForm, purchaseList } from './page'
import { answerPage, goTo, type PageCall, pageCall } from './page-answer'
import { buyerCookie, buyerOf, exchangeToken, isLiveToken } from './visit'
import { showLink, showProvider } from './ways'
import type { BuyerWords } from './words'

/** The page on which buyers find what they bought (funnels 6). It needs no script. */
export const buyerRoutes = (ctx: Context) =>
  new Elysia()
    .get('/f/:project/manage', async (call) => show(await pageCall(ctx, call)), { detail: { hide: true } })
    .post('/f/:project/manage', async (call) => act(await pageCall(ctx, call)), {
      parse: 'none',
      detail: { hide: true },
    })

async function show(visit: PageCall): Promise<Response> {
  const { ctx, project, request, language, words } = visit
  const { searchParams } = new URL(request.url)
  const token = searchParams.get('token')
  // Programs that scan mail open links, so the link itself spends nothing.
  if (token !== null)
    return (await isLiveToken(ctx, project.id, token)) ? answerPage(visit, enterForm(language, token)) : ended(visit)
  const buyer = await buyerOf(ctx, project.id, request)
  if (!buyer) return answerPage(visit, askForm(language, null))
  const notice = noticeOf(searchParams.get('done'), project, words)
  return answerPage(visit, purchaseList(await listBought(ctx, project, buyer), { language, notice, project }))
}

const ended = (visit: PageCall): Response =>
  answerPage(visit, askForm(visit.language, visit.words.linkEnded), { status: 410 })

/** Spends the link of a mail for the cookie of a visit. */
async function enter(visit: PageCall, token: string): Promise<Response> {
  const { ctx, project, request } = visit
  const secret = await exchangeToken(ctx, project.id, token)
  if (secret === null) return ended(visit)
  return goTo(pagePath(project), { 'set-cookie': buyerCookie(ctx, request, pagePath(project), secret) })
}

function noticeOf(done: string | null, project: ProjectState, words: BuyerWords): string | null {
  const notices: Record<Outcome, string> = {
    cancelled: words.cancelled,
    stopped: words.stopped,
    kept: words.kept,
    data: words.dataAsked(project.name),
    failed: words.failed,
  }
  return done !== null && Object.hasOwn(notices, done) ? notices[done as Outcome] : null
}

async function act(visit: PageCall): Promise<Response> {
  const { ctx, project, request, words } = visit
  const form = new URLSearchParams(new TextDecoder().decode(await readBody(ctx, request)))
  if (isForeignForm(ctx, request, { isHidden: form.has('token') }))
    return answerPage(visit, `<p role="alert">${escapeHtml(words.failed)}</p>`, { status: 403 })
  if (form.has('email')) return ask(visit, (form.get('email') ?? '').trim())
  const token = form.get('token')
  if (token !== null) return enter(visit, token)
  const buyer = await buyerOf(ctx, project.id, request)
  if (!buyer) return ended(visit)
  const call = { project, buyer, sessionId: form.get('session') ?? '', requestId: factsOf(request).id }
  const action = form.get('action') ?? ''
  if (action === 'link') return showLink(visit, call)
  if (action === 'card') return showProvider(visit, call)
  const outcome = await perform(ctx, call, action)
  return goTo(`${pagePath(project)}?done=${outcome}`)
}

async function perform(ctx: Context, call: BuyerCall, action: string): Promise<Outcome> {
  const bought = await findBought(ctx, call)
  if (!bought) return 'failed'
  if (action === 'cancel' || action === 'keep') return changeRenewal(ctx, call, bought, action === 'keep')
  return action === 'data' ? askForData(ctx, call, bought) : 'failed'
}

/** The answer is the same for every address, because a job looks for purchases later. */
async function ask(visit: PageCall, email: string): Promise<Response> {
  const { ctx, project, language, words } = visit
  if (!isMailAddress(email)) return answerPage(visit, askForm(language, words.badAddress), { status: 400 })
  await requestMail(ctx, project.id, email, 'BUYER')
  return answerPage(visit, `<p role="status">${escapeHtml(words.sent)}</p>`)
}
