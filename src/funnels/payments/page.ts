import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import {
  APPLY_CODE,
  CODE_FIELD,
  drawCheckout,
  enterOf,
  GIVE_EMAIL,
  type ReducedPrice,
} from '../../core/funnel/render/checkout'
import { CHECKOUT_NOTICES, type CheckoutNotice } from '../../core/funnel/render/checkout-words'
import { isMailAddress } from '../../core/text/addresses'
import { TEST_ATTEMPTS, type TestAttempt } from '../../stores/in-process'
import { appWays } from '../claims/ways'
import { addressIn, answersOf, type DrawnPage, type PagePart, type PostedPage, saveAddress } from '../sessions/service'
import { PROVIDER_SOURCES, scriptOf } from './checkout-script'
import { type Confirmed, confirmPayment } from './confirm'
import { beginPayment } from './intent'
import { NOTICE, noticeOf } from './notice'
import { promotionCodeIn, reductionsOf } from './promotion'
import { findLatest } from './queries'
import { addressOf } from './service'
import { confirmedOf, hasBlock, successPart } from './success'
import { attemptTestPayment } from './test-payment'

/** What payments draw on a page: the checkout of a payment page, on the last one the way into the app, and its blocks. */
export async function paymentPart(ctx: Context, drawn: DrawnPage): Promise<PagePart | null> {
  const { project, locale } = drawn
  const showsWays = hasBlock(drawn, ['store_buttons', 'qr'])
  const confirmed = showsWays || isLastPage(drawn) ? await confirmedOf(ctx, drawn) : null
  const part = await ownPart(ctx, drawn, confirmed)
  if (!showsWays) return part
  const paid = confirmed?.alreadyIssued === false ? confirmed : null
  return { html: '', ...part, ways: await appWays(ctx, { projectId: project.id, locale, paid }) }
}

/** A last page that leads elsewhere shows no way into the app. */
const isLastPage = ({ page, document }: DrawnPage): boolean =>
  page.type === 'success' && document.settings.success?.mode !== 'redirect'

async function ownPart(ctx: Context, drawn: DrawnPage, confirmed: Confirmed | null): Promise<PagePart | null> {
  if (isLastPage(drawn)) return successPart(drawn, confirmed)
  return drawn.page.type === 'payment' && drawn.session.paidAt === null ? checkoutPart(ctx, drawn) : null
}

async function checkoutPart(ctx: Context, drawn: DrawnPage): Promise<PagePart> {
  const { session, document, project, offer, query, locale } = drawn
  const latest = await findLatest(ctx, session.id)
  const email =
    (latest && addressOf(ctx, latest)) ?? addressIn(document, session.path, await answersOf(ctx, session.id))
  const isOpen = latest?.status === 'PENDING'
  const provider = offer.payment?.provider ?? null
  const pending = isOpen && latest.unsettled !== 'requires_payment' ? latest.unsettled : null
  const isAsked = document.settings.emailBeforePayment === true
  const asksEmailFirst = isAsked && email === null && provider !== null && pending === null
  const notice = CHECKOUT_NOTICES.find((one) => one === query.get(NOTICE)) ?? null
  const code = promotionCodeIn(query, CODE)
  const reductions = notice === 'promotion_code' || asksEmailFirst ? [] : await shownReductions(ctx, drawn, code)
  const html = drawCheckout({
    ...{ locale, provider, prices: offer.prices, pending, asksEmailFirst },
    email: email ?? '',
    requiresConsent: document.settings.requireTermsConsent === true,
    promotion: { code, reductions },
    notice,
    links: { terms: project.termsUrl, privacy: project.privacyUrl },
    script: asksEmailFirst ? null : scriptOf(drawn, isAsked, reductions),
  })
  const chosenPackage = query.get(PACKAGE) ?? (isOpen ? latest.packageIdentifier : null)
  const enter = { name: 'pay', value: enterOf({ provider, pending, asksEmailFirst }) }
  const part = { html, hidesNext: true, chosenPackage, enter }
  // With a policy of its own the page is loaded anew, and not exchanged by the script of the pages before.
  if (provider !== 'stripe' || asksEmailFirst) return { ...part, policy: {} }
  return { ...part, policy: PROVIDER_SOURCES, permissions: 'payment=(self "https://js.stripe.com")' }
}

/** While the provider does not answer, the page is shown without them; the payment then asks again. */
const shownReductions = (ctx: Context, drawn: DrawnPage, code: string): Promise<ReducedPrice[]> =>
  reductionsOf(ctx, drawn, code).catch((error: unknown) => {
    if (error instanceof AppError) return []
    throw error
  })

/**
 * Pays at the test store without a script: each button of its sheet sends the form of the page. Null for a form that does
 * not pay.
 */
export async function postPayment(ctx: Context, posted: PostedPage): Promise<{ location: string } | null> {
  const { page, form, request } = posted
  const pressed = form.get('pay')
  if (page.type !== 'payment' || pressed === null) return null
  const here = new URL(request.url).pathname
  const notice = await pay(ctx, posted, pressed).catch(toNotice)
  if (notice === null && !STAYING.has(pressed)) return { location: here }
  const chosen = form.get(PACKAGE)?.slice(0, LONGEST_PACKAGE)
  const code = promotionCodeIn(form, CODE_FIELD)
  const query = new URLSearchParams({
    ...(notice && { [NOTICE]: notice }),
    ...(chosen && { [PACKAGE]: chosen }),
    ...(code !== '' && { [CODE]: code }),
  })
  return { location: query.size === 0 ? here : `${here}?${query}` }
}

/** Buttons after which the visitor chooses how to pay, so that what was typed and chosen stays. */
const STAYING: ReadonlySet<string> = new Set([GIVE_EMAIL, APPLY_CODE, 'closes'])

/** The member of the address that has the promotion code. */
const CODE = 'code'

/** The member of the form and of the address that names the chosen package. */
const PACKAGE = 'package'
const LONGEST_PACKAGE = 200

async function pay(ctx: Context, posted: PostedPage, pressed: string): Promise<CheckoutNotice | null> {
  if (pressed === GIVE_EMAIL) return giveEmail(ctx, posted)
  if (pressed === APPLY_CODE) return applyCode(ctx, posted)
  const latest = await findLatest(ctx, posted.session.id)
  const outcome = TEST_ATTEMPTS.find((one) => one === pressed)
  if (!outcome) return latest ? confirm(ctx, posted, latest.id) : null
  const isOpen = latest?.status === 'PENDING' && latest.unsettled === 'requires_action'
  const id = isOpen ? latest.id : await begin(ctx, posted)
  return attempt(ctx, posted, id, outcome)
}

/** Keeps the address, so that the page shows how to pay from then on. */
async function giveEmail(ctx: Context, { session, form, page }: PostedPage): Promise<null> {
  const email = (form.get('email') ?? '').trim()
  if (!isMailAddress(email)) throw new Refused('email')
  await saveAddress(ctx, session.id, { pageId: page.id, email })
  return null
}

/** Looks up what a promotion code makes cheaper, and keeps the address that was typed before. An empty one is none. */
async function applyCode(ctx: Context, posted: PostedPage): Promise<null> {
  const { session, form, page, document } = posted
  const email = (form.get('email') ?? '').trim()
  const known = addressIn(document, session.path, await answersOf(ctx, session.id))
  if (known === null && isMailAddress(email)) await saveAddress(ctx, session.id, { pageId: page.id, email })
  const code = promotionCodeIn(form, CODE_FIELD)
  const reductions = await reductionsOf(ctx, posted, code)
  const chosen = form.get(PACKAGE)
  const isForChosen = reductions.some(({ packageIdentifier }) => !chosen || packageIdentifier === chosen)
  if (code !== '' && !isForChosen) throw new Refused('promotion_code')
  return null
}

async function begin(ctx: Context, posted: PostedPage): Promise<string> {
  const { form, page, document } = posted
  if (document.settings.requireTermsConsent && form.get('terms') !== 'yes') throw new Refused('terms')
  const packageIdentifier = form.get(PACKAGE)
  if (!packageIdentifier) throw new Refused('package')
  const shown = Number(form.get(`shown:${packageIdentifier}`) ?? Number.NaN)
  const { paymentId } = await beginPayment(ctx, posted, {
    ...{ packageIdentifier, pageId: page.id, email: form.get('email') ?? '' },
    expectedAmountMicros: Number.isSafeInteger(shown) ? shown : null,
    promotionCode: promotionCodeIn(form, CODE_FIELD) || null,
  })
  return paymentId
}

async function attempt(
  ctx: Context,
  posted: PostedPage,
  id: string,
  outcome: TestAttempt,
): Promise<CheckoutNotice | null> {
  const status = await attemptTestPayment(ctx, posted, id, outcome)
  if (status === 'succeeded') return confirm(ctx, posted, id)
  return outcome === 'declined' ? 'declined' : null
}

async function confirm(ctx: Context, posted: PostedPage, id: string): Promise<CheckoutNotice | null> {
  await confirmPayment(ctx, posted, id)
  return null
}

/** The faults of a form, as the page shows them. */
class Refused extends Error {
  constructor(readonly notice: CheckoutNotice) {
    super(notice)
  }
}

function toNotice(error: unknown): CheckoutNotice | null {
  if (error instanceof Refused) return error.notice
  if (error instanceof AppError) return noticeOf(error)
  throw error
}
