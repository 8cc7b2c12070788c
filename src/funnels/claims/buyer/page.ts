import { escapeHtml } from '../../../core/funnel/render/escape'
import { formatMoney } from '../../../core/funnel/render/money'
import type { ProjectState } from '../../../projects/project/state'
import { dateText, type Language } from '../words'
import type { Bought } from './holdings'
import { type BuyerWords, buyerWords } from './words'

const paragraph = (text: string, attribute = ''): string => `<p${attribute}>${escapeHtml(text)}</p>`

/** The form that asks for the address, below a sentence about what happened before. */
export function askForm(language: Language, notice: string | null): string {
  const words = buyerWords(language)
  return [
    notice === null ? '' : paragraph(notice, ' role="status"'),
    paragraph(words.ask),
    '<form method="post">',
    `<label for="email">${escapeHtml(words.address)}</label>`,
    '<input id="email" name="email" type="email" autocomplete="email" required maxlength="254">',
    `<button name="action" value="ask">${escapeHtml(words.send)}</button>`,
    '</form>',
  ].join('')
}

/** The button behind the link of a mail. The address that it leads to has no token. */
export function enterForm(language: Language, token: string): string {
  const { enter, mail } = buyerWords(language)
  const hidden = `<input type="hidden" name="token" value="${escapeHtml(token)}">`
  return `${paragraph(enter)}<form method="post" action="?">${hidden}<button>${escapeHtml(mail.open)}</button></form>`
}

/** All purchases of a buyer, each with what can be done about it. Works without script. */
export function purchaseList(
  bought: readonly Bought[],
  { language, notice, project }: { language: Language; notice: string | null; project: ProjectState },
): string {
  const words = buyerWords(language)
  const support = [...new Set(bought.flatMap(({ supportEmail }) => supportEmail ?? []))]
  return [
    notice === null ? '' : paragraph(notice, ' role="status"'),
    ...bought.map((one) => section(one, language, words)),
    ...support.map((address) => paragraph(words.support(address), ' class="note"')),
    bought.length === 0 ? paragraph(project.name) : '',
  ].join('')
}

function section(bought: Bought, language: Language, words: BuyerWords): string {
  const { paid, name, boughtAt, standing } = bought
  const button = (action: string, label: string, isPlain = true) =>
    `<form method="post"><input type="hidden" name="session" value="${escapeHtml(paid.session.id)}"><button${isPlain ? ' class="plain"' : ''} name="action" value="${action}">${escapeHtml(label)}</button></form>`
  return [
    `<section><h2>${escapeHtml(name)}</h2>`,
    paragraph(words.boughtOn(dateText(boughtAt, language))),
    paragraph(standingText(standing, language, words)),
    standing.kind === 'ended' ? '' : button('link', words.newLink, false),
    standing.kind === 'renews' ? button('cancel', words.cancel) : '',
    standing.kind === 'ends' ? button('keep', words.keep) : '',
    hasCard(bought) ? button('card', words.card) : '',
    button('data', words.askData),
    '</section>',
  ].join('')
}

/** The test store has no page for cards. */
const hasCard = ({ paid: { payment }, standing }: Bought): boolean =>
  payment.provider === 'stripe' && payment.objects.customerId !== null && /^(renews|ends)$/.test(standing.kind)

function standingText(standing: Bought['standing'], language: Language, words: BuyerWords): string {
  switch (standing.kind) {
    case 'renews': {
      const date = dateText(standing.at, language)
      return standing.price
        ? words.nextCharge(formatMoney(standing.price, language), date)
        : words.nextChargeUnknown(date)
    }
    case 'ends':
      return words.endsOn(dateText(standing.at, language))
    case 'forever':
      return words.forever
    case 'ended':
      return words.ended
  }
}
