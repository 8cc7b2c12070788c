import type { Context } from '../../base/context'
import type { BlockType } from '../../core/funnel/model'
import { checkoutWords } from '../../core/funnel/render/checkout-words'
import { attributes, escapeHtml } from '../../core/funnel/render/escape'
import { wordsFor } from '../../core/funnel/render/words'
import { blocksOf } from '../../core/funnel/walk'
import { qrCode } from '../claims/qr'
import { BEGIN_ANEW, type DrawnPage, type PagePart } from '../sessions/service'
import { type Confirmed, confirmPayment } from './confirm'
import { findLatest } from './queries'

/**
 * The way into the app, for the visitor who has just paid. Each drawing shows the same token; a quarter of an hour later
 * the page leads to the link by mail instead. After the claim it leads to the purchase, and another visitor can start again.
 */
export function successPart(drawn: DrawnPage, confirmed: Confirmed | null): PagePart | null {
  if (drawn.session.state === 'COMPLETED') return claimedPart(drawn)
  return confirmed && paidPart(drawn, confirmed)
}

/** What a session that has paid and is not claimed has; null for any other. */
export async function confirmedOf(ctx: Context, drawn: DrawnPage): Promise<Confirmed | null> {
  const { session } = drawn
  const payment = session.state === 'PAID' ? await findLatest(ctx, session.id) : null
  return payment && confirmPayment(ctx, drawn, payment.id)
}

function paidPart(drawn: DrawnPage, confirmed: Confirmed): PagePart {
  const { locale } = drawn
  const words = checkoutWords(locale)
  const lost = manageLink(drawn, words.lostLink)
  if (confirmed.alreadyIssued || confirmed.universal_link_url === null) return { html: `<section>${lost}</section>` }
  const { universal_link_url: url } = confirmed
  const openApp = escapeHtml(wordsFor(locale).openApp)
  const link = `<a${attributes({ class: 'button primary', href: url, rel: 'noreferrer' })}>${openApp}</a>`
  const hint = `<p>${escapeHtml(words.openHint)}</p>`
  // A page with a block for the code shows it there.
  const code = hasBlock(drawn, ['qr']) ? '' : qrCode(url, words.openHint)
  return { html: `<section class="claim">${link}${hint}${code}${lost}</section>` }
}

export const hasBlock = ({ page }: Pick<DrawnPage, 'page'>, types: readonly BlockType[]): boolean =>
  blocksOf(page, '').some(([{ type }]) => types.includes(type))

function claimedPart(drawn: DrawnPage): PagePart {
  const { claimed, purchases, lostLink, anew } = checkoutWords(drawn.locale)
  const links = `${manageLink(drawn, purchases)}${manageLink(drawn, lostLink)}`
  const button = `<button${attributes({ form: 'page', name: 'action', value: BEGIN_ANEW })}>${escapeHtml(anew)}</button>`
  return { html: `<section class="claim"><p>${escapeHtml(claimed)}</p>${links}${button}</section>` }
}

/** To the buyer's page, which also mails new links. */
function manageLink({ project }: DrawnPage, label: string): string {
  const href = `/f/${encodeURIComponent(project.slug)}/manage`
  return `<p><a${attributes({ href })}>${escapeHtml(label)}</a></p>`
}
