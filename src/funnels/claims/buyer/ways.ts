import { linkBase } from '../../../base/http/own-origin'
import { escapeHtml } from '../../../core/funnel/render/escape'
import { type BuyerCall, cardAddress, findBought, newAppLink } from './actions'
import { pagePath } from './mail'
import { answerPage, goTo, type PageCall } from './page-answer'

/** A new way into the app. */
export async function showLink(visit: PageCall, call: BuyerCall): Promise<Response> {
  const { ctx, project, language, words } = visit
  const bought = await findBought(ctx, call)
  if (!bought) return goTo(`${pagePath(project)}?done=failed`)
  const buttons = await newAppLink(ctx, call, bought, { language, request: visit.request })
  const back = `<p><a href="${escapeHtml(pagePath(project))}">${escapeHtml(words.back)}</a></p>`
  return answerPage(visit, `<h2>${escapeHtml(bought.name)}</h2>${buttons}${back}`)
}

/** A link and no redirect: the policy of the page lets its forms lead nowhere else. */
export async function showProvider(visit: PageCall, call: BuyerCall): Promise<Response> {
  const { ctx, project, words } = visit
  const bought = await findBought(ctx, call)
  const own = `${linkBase(ctx)}${pagePath(project)}`
  const url = bought && (await cardAddress(ctx, call, bought, own))
  if (!url) return goTo(`${pagePath(project)}?done=failed`)
  const link = `<a class="button" rel="noreferrer" href="${escapeHtml(url)}">${escapeHtml(words.openProvider)}</a>`
  const back = `<a href="${escapeHtml(pagePath(project))}">${escapeHtml(words.back)}</a>`
  return answerPage(visit, `<p>${link}</p><p>${back}</p>`)
}
