import { type CheckoutNotice, type CheckoutWords, checkoutWords } from './checkout-words'
import { attributes, escapeHtml } from './escape'
import { formatMoney, type Money, type PackagePrice } from './money'
import { linksOf } from './plans'
import type { PageView } from './view'
import { wordsFor } from './words'

/** A package that a promotion code makes cheaper. */
export interface ReducedPrice {
  packageIdentifier: string
  name: string
  full: Money
  /** The first payment with the code. */
  reduced: Money
  /** What is due at once with the code. */
  dueNow: Money
}

/** How a payment page lets its visitor pay. */
export interface CheckoutView {
  locale: string
  /** Null: nothing can be paid. */
  provider: 'stripe' | 'test' | null
  prices: readonly PackagePrice[]
  email: string
  /** Whether the page asks for the address by itself, before it shows how to pay. */
  asksEmailFirst: boolean
  /** The promotion code that was typed, and what it makes cheaper. */
  promotion: { code: string; reductions: readonly ReducedPrice[] }
  requiresConsent: boolean
  /** The terms and the privacy policy that the visitor agrees to. */
  links: Pick<PageView['links'], 'terms' | 'privacy'>
  /** Whether the fields take nothing, as on a preview: there the buttons alone show the ways. */
  isPreview?: boolean
  /** How far a payment is that has started. */
  pending: 'requires_action' | 'processing' | null
  notice: CheckoutNotice | null
  /** What the script of the page needs for the provider's form; only with the provider. */
  script: { sources: readonly string[]; settings: Readonly<Record<string, string>> } | null
}

/** The button that gives the mail address. */
export const GIVE_EMAIL = 'email'

/** The button that looks up the promotion code. */
export const APPLY_CODE = 'promotion'

/** The field of the promotion code. */
export const CODE_FIELD = 'promotion_code'

/** What the visitor can do on the sheet of the test store, in the order of the buttons. */
const OUTCOMES: readonly [value: string, word: keyof CheckoutWords][] = [
  ['pays', 'pays'],
  ['declined', 'declined'],
  ['needs_authentication', 'needsAuthentication'],
  ['processing', 'processing'],
  ['closes', 'closes'],
]

/** The checkout of a payment page. It is placed below the form of the page, and its fields belong to that form. */
export function drawCheckout(view: CheckoutView): string {
  const words = checkoutWords(view.locale)
  const { provider, pending, notice } = view
  if (provider === null)
    return `<section class="checkout"><p class="fault">${escapeHtml(words.unavailable)}</p></section>`
  const told = notice === null ? '' : `<p class="fault" role="alert">${escapeHtml(words.notices[notice])}</p>`
  if (pending === 'processing') return section(words, told + processing(words) + scripts(view.script))
  if (view.asksEmailFirst)
    return section(words, told + emailField(view, words) + button(GIVE_EMAIL, wordsFor(view.locale).next, 'primary'))
  const fields = emailField(view, words) + promotionField(view, words) + consentField(view, words) + shownPrices(view)
  const means = provider === 'test' ? testSheet(view, words) : providerForm(view, words)
  return section(words, told + fields + means)
}

const section = (words: CheckoutWords, content: string): string =>
  `<section${attributes({ class: 'checkout', 'aria-label': words.pay })}>${content}</section>`

const processing = (words: CheckoutWords): string =>
  `<p role="status">${escapeHtml(words.processingHint)}</p>${button('check', words.lookAgain, 'secondary')}`

function emailField({ email, isPreview = false }: CheckoutView, words: CheckoutWords): string {
  const input = attributes({
    ...{ id: 'pay-email', form: 'page', type: 'email', name: 'email', value: email, required: true },
    disabled: isPreview,
    ...{ autocomplete: 'email', maxlength: 254, 'aria-describedby': 'pay-email-hint' },
  })
  const hint = `<small id="pay-email-hint">${escapeHtml(words.emailHint)}</small>`
  return `<div class="field"><label for="pay-email">${escapeHtml(words.email)}</label><div class="input"><input${input}></div>${hint}</div>`
}

/** Closed until there is a code. Its button takes the form as it is: the other fields may still be empty. */
function promotionField({ promotion, notice, locale, isPreview = false }: CheckoutView, words: CheckoutWords): string {
  const { code, reductions } = promotion
  const input = attributes({
    ...{ id: 'pay-code', form: 'page', type: 'text', name: CODE_FIELD, value: code, maxlength: 100 },
    ...{ autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', disabled: isPreview },
    ...{
      'data-applied': reductions.length > 0 ? code : '',
      'aria-invalid': notice === 'promotion_code' ? 'true' : null,
    },
  })
  const apply = attributes({
    ...{ type: 'submit', form: 'page', name: 'pay', value: APPLY_CODE, class: 'secondary' },
    ...{ formnovalidate: true, disabled: isPreview },
  })
  const open = attributes({ class: 'promotion', open: code !== '' })
  const lines = reductions.map((one) => `<li>${escapeHtml(words.withCode(reductionText(one, locale)))}</li>`).join('')
  const told = lines === '' ? '' : `<ul role="status">${lines}</ul>`
  const field = `<label for="pay-code">${escapeHtml(words.promotionCode)}</label><div class="input"><input${input}></div>`
  return `<details${open}><summary>${escapeHtml(words.hasPromotionCode)}</summary><div class="field">${field}</div><button${apply}>${escapeHtml(words.applyCode)}</button>${told}</details>`
}

const reductionText = ({ name, full, reduced }: ReducedPrice, locale: string) => ({
  name,
  full: formatMoney(full, locale),
  reduced: formatMoney(reduced, locale),
})

function consentField(
  { requiresConsent, links, locale, isPreview = false }: CheckoutView,
  words: CheckoutWords,
): string {
  if (!requiresConsent) return ''
  const input = attributes({
    form: 'page',
    type: 'checkbox',
    name: 'terms',
    value: 'yes',
    required: true,
    disabled: isPreview,
  })
  const linked = linksOf(links, wordsFor(locale), '_blank')
  const text = [escapeHtml(words.consent), linked].filter((part) => part !== '').join(' ')
  return `<label class="option"><input${input}><span>${text}</span></label>`
}

/** Sends the displayed prices along, so that a changed price is refused. */
const shownPrices = ({ prices }: CheckoutView): string =>
  prices
    .map(({ packageIdentifier, price: { amountMicros } }) =>
      attributes({ type: 'hidden', form: 'page', name: `shown:${packageIdentifier}`, value: amountMicros }),
    )
    .map((given) => `<input${given}>`)
    .join('')

const button = (value: string, text: string, look: 'primary' | 'secondary'): string =>
  `<button${attributes({ type: 'submit', form: 'page', name: 'pay', value, class: look })}>${escapeHtml(text)}</button>`

/** The first button of the checkout, which Enter presses too. At the provider it is the script that pays. */
export function enterOf({
  provider,
  pending,
  asksEmailFirst,
}: Pick<CheckoutView, 'provider' | 'pending' | 'asksEmailFirst'>): string {
  if (asksEmailFirst) return GIVE_EMAIL
  if (pending === 'processing' || provider !== 'test') return 'check'
  const [first] = outcomesOf(pending)
  return first?.[0] ?? 'check'
}

const outcomesOf = (pending: CheckoutView['pending']) => (pending === 'requires_action' ? AUTHENTICATION : OUTCOMES)

function testSheet({ pending }: CheckoutView, words: CheckoutWords): string {
  const buttons = outcomesOf(pending).map(([value, word], index) =>
    button(value, String(words[word]), index === 0 ? 'primary' : 'secondary'),
  )
  return `<fieldset class="test-store"><legend>${escapeHtml(words.testStore)}</legend><p role="note">${escapeHtml(words.testHint)}</p>${buttons.join('')}</fieldset>`
}

const AUTHENTICATION: typeof OUTCOMES = [
  ['authenticated', 'authenticated'],
  ['declined', 'declined'],
]

/** The provider's fields are drawn by its script, into a frame of its own. */
function providerForm({ script }: CheckoutView, words: CheckoutWords): string {
  const data = Object.entries(script?.settings ?? {}).map(([name, value]): [string, string] => [`data-${name}`, value])
  const place = `<div${attributes({ id: 'provider', ...Object.fromEntries(data) })}><div id="express"></div><div id="fields"></div><p id="provider-fault" class="fault" role="alert" hidden></p></div>`
  const pay = `<button${attributes({ type: 'button', id: 'provider-pay', class: 'primary', disabled: true })}>${escapeHtml(words.pay)}</button>`
  return `${place}${pay}<noscript><p class="fault">${escapeHtml(words.needsScript)}</p></noscript>${scripts(script)}`
}

/** They run in their order, after the page. */
const scripts = (script: CheckoutView['script']): string =>
  (script?.sources ?? []).map((src) => `<script${attributes({ src, defer: true })}></script>`).join('')
